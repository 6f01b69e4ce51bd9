import { isIP } from "node:net";
import type { TargetHeaders } from "../../shared/check.ts";
import { SKIPPED } from "./requests/answer.ts";
import { openBudget } from "../net/budget.ts";
import { CHECK_TIMEOUT_MS, MAX_REQUESTS, OWNER_TIMEOUT_MS } from "../bounds.ts";
import { openBurst } from "./requests/burst.ts";
import { elapsedMs, openDeadline } from "../net/deadline.ts";
import { EVIDENCE_VERSION, type Evidence } from "../evidence/evidence.ts";
import type { Failure, GiveUpCode } from "../evidence/failure.ts";
import type { Network, Vetting } from "../net/guard.ts";
import { openConnections } from "../net/connections.ts";
import { askOwnerFiles, type OwnerAnswer } from "./requests/owner-files.ts";
import { UNTIMED } from "./requests/page.ts";
import { redactUrl } from "./privacy/redact.ts";
import { openSecrets } from "./privacy/secrets.ts";
import type { ProbeContext } from "./requests/context.ts";
import { createSecureContexts } from "../net/tls.ts";
import { createVet, type Vet, type Visit } from "../net/vet.ts";
import { runWaves, type Seen } from "./waves.ts";

export interface ProbeOptions {
  network: Network;
  userAgent: string;
  /** PEM certificates trusted instead of Node's own; for tests, which make their own. */
  roots?: readonly string[];
}

export interface ProbeRequest {
  url: string;
  preview: boolean;
  headers: TargetHeaders;
}

export interface Probe {
  vet: Vet;
  /**
   * Visits a vetted URL with at most `MAX_REQUESTS` requests in `CHECK_TIMEOUT_MS`, and closes all its connections. A refused URL gives evidence
   * of its refusal. Rejects with the signal's reason when it aborts; never because of the site.
   */
  run(visit: Visit, request: ProbeRequest, signal: AbortSignal): Promise<Evidence>;
  /**
   * Asks the owner of a vetted URL's origin whether public scans are refused, within `OWNER_TIMEOUT_MS`. Never rejects
   * because of the site.
   */
  askOwner(visit: Visit, signal: AbortSignal): Promise<OwnerAnswer>;
}

export function createProbe({ network, userAgent, roots }: ProbeOptions): Probe {
  const secureContexts = createSecureContexts(roots);

  async function run(visit: Visit, request: ProbeRequest, signal: AbortSignal): Promise<Evidence> {
    signal.throwIfAborted();
    const { guard, vetting } = visit;
    const startedAt = performance.now();
    const known = describeVisit(vetting, request);
    if (!vetting.ok)
      return { ...known, durationMs: 0, ...seeNothing(vetting, "guard", vetting.refusal.code) };
    const { target } = vetting;
    const deadline = openDeadline(signal, CHECK_TIMEOUT_MS);
    deadline.signal.addEventListener("abort", visit.close, { once: true });
    const connections = openConnections();
    const secrets = openSecrets(request.headers, target.url);
    const burst = openBurst();
    const context: ProbeContext = {
      guard,
      budget: openBudget(MAX_REQUESTS),
      connections,
      secureContexts,
      userAgent,
      secrets,
      burst,
      own: { origin: target.url.origin, headers: request.headers },
      signal: deadline.signal,
      onAnswer(from, { status, rawHeaders }) {
        burst.note(from.host, status);
        secrets.noteCookies(from.url, rawHeaders);
      },
    };
    try {
      const seen = await runWaves(context, target, network.httpPort);
      signal.throwIfAborted();
      return secrets.hide({ ...known, durationMs: elapsedMs(startedAt), ...seen });
    } finally {
      deadline.abort();
      deadline.clear();
      connections.close();
    }
  }

  async function askOwner({ vetting }: Visit, signal: AbortSignal): Promise<OwnerAnswer> {
    if (!vetting.ok) return { refusedIn: null, isFinal: false };
    const deadline = openDeadline(signal, OWNER_TIMEOUT_MS);
    const connections = openConnections();
    const client = {
      connections,
      secureContexts,
      userAgent,
      own: { origin: "", headers: {} },
      signal: deadline.signal,
      onAnswer() {},
    };
    try {
      return await askOwnerFiles(client, vetting.target);
    } finally {
      deadline.abort();
      deadline.clear();
      connections.close();
    }
  }

  return { vet: createVet(network), run, askOwner };
}

/** The evidence of a visit that was given up because of what it did to the check. */
export function giveUpVisit(
  { vetting }: Pick<Visit, "vetting">,
  request: ProbeRequest,
  code: GiveUpCode,
): Evidence {
  const known = describeVisit(vetting, request);
  return { ...known, durationMs: 0, ...seeNothing(vetting, "check", code) };
}

/** What is known about a visit before its first request. */
function describeVisit(vetting: Vetting, { url, preview }: ProbeRequest) {
  return {
    version: EVIDENCE_VERSION,
    url: redactUrl(url),
    preview,
    checkedAt: new Date().toISOString(),
    dns: describeDns(vetting),
  } as const;
}

function describeDns(vetting: Vetting): Evidence["dns"] {
  const site = vetting.ok ? vetting.target : vetting.refusal;
  const host = site.host ?? "";
  return {
    host,
    kind: isIP(host) === 0 ? "name" : "literal",
    refusal: vetting.ok ? null : vetting.refusal.code,
    addresses: [...site.addresses],
    durationMs: Math.round(site.dnsMs * 10) / 10,
  };
}

/** The evidence of a URL that was not visited, or whose visit yielded nothing. */
function seeNothing(vetting: Vetting, phase: Failure["phase"], code: string): Seen {
  const { host, dnsMs } = vetting.ok ? vetting.target : vetting.refusal;
  const failure = { phase, code, detail: host ?? "" };
  const chain = { hops: [], failure, stop: null, tls: null };
  const timings = { ...UNTIMED, dnsMs: Math.round(dnsMs * 10) / 10 };
  return {
    page: { ...chain, attempts: 0, timings, body: null },
    cors: { ...SKIPPED, origin: null },
    drawnCookies: [],
    plainHttp: null,
    robots: { ...SKIPPED, blocks: null, badLine: null, sitemaps: [], page: null },
    sitemap: null,
    notFound: { ...SKIPPED, url: "", location: null, leak: null, repeatsPage: null },
    twin: null,
    legacyTls: { outcome: "unknown", protocol: null, code: null },
    alpn: { outcome: "unknown", code: null },
    lastHost: null,
    assets: [],
    links: [],
    firstBytes: [],
  };
}
