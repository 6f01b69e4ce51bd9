import { isIP } from "node:net";
import type { TargetHeaders } from "../../../shared/check.ts";
import { SKIPPED } from "./answer.ts";
import { openBudget, openRoom } from "../net/budget.ts";
import {
  CHECK_TIMEOUT_MS,
  MAX_READ_BYTES,
  MAX_REQUESTS,
  OWNER_TIMEOUT_MS,
  SITEMAP_TIMEOUT_MS,
} from "../../base/bounds.ts";
import { openBurst, type VisitContext } from "./context.ts";
import { elapsedMs, openDeadline } from "../net/deadline.ts";
import { EVIDENCE_VERSION, type Evidence } from "../evidence/evidence.ts";
import type { Failure, GiveUpCode, OddAnswer } from "../evidence/exchange.ts";
import type { Network, Target, Vetting } from "../net/guard.ts";
import type { HttpClient } from "../net/fetch.ts";
import { openConnections } from "../net/connections.ts";
import { readOwnerRobots, type RobotsPermission } from "./owner-robots.ts";
import { readSitemaps, type SitemapPages } from "./sitemap-files.ts";
import { readPageOnce, UNTIMED } from "./page.ts";
import { redactUrl } from "./privacy/redact.ts";
import { openSecrets } from "./privacy/secrets.ts";
import { createSecureContexts } from "../net/tls.ts";
import { createVet, type Vet, type VettedUrl } from "../net/vet.ts";
import { runWaves, type VisitResults } from "./waves.ts";

export interface VisitorOptions {
  network: Network;
  userAgent: string;
  /** PEM certificates trusted instead of Node's own; for tests, which make their own. */
  roots?: readonly string[];
  /** Those of `roots` that count as roots of browsers; for tests. */
  publicRoots?: readonly string[];
  /** Leaves the evidence unmasked; for tests, which compare it with the masked evidence. */
  isUnmasked?: boolean;
}

export interface VisitRequest {
  url: string;
  preview: boolean;
  headers: TargetHeaders;
  /** URLs of the previous production deployment's files. */
  previousFiles?: readonly string[];
}

export interface ProbeOrder {
  url: string;
  maxMs: number;
  onStep: NonNullable<VisitContext["onStep"]>;
}

export interface Visitor {
  vet: Vet;
  /** The evidence of a refused URL contains the refusal. Rejects if the signal aborts, never because of the site. */
  run(vetted: VettedUrl, request: VisitRequest, signal: AbortSignal): Promise<Evidence>;
  /** The site cannot make it reject. */
  readOwner(vetted: VettedUrl, signal: AbortSignal): Promise<RobotsPermission>;
  /** Never rejects because of the site. */
  readSitemaps(vetted: VettedUrl, url: string, signal: AbortSignal): Promise<SitemapPages>;
  /** Makes no retry. Rejects if the signal aborts, never because of the site. */
  probe(vetted: VettedUrl, order: ProbeOrder, signal: AbortSignal): Promise<Evidence>;
}

interface VisitOptions extends Pick<VisitContext, "onStep"> {
  request: VisitRequest;
  maxMs: number;
  signal: AbortSignal;
}

export function createVisitor(visitorOptions: VisitorOptions): Visitor {
  const { network, userAgent, isUnmasked } = visitorOptions;
  const secureContexts = createSecureContexts(visitorOptions);
  const readStandstill = network.standstill ?? (() => 0);

  async function visitWith(
    vetted: VettedUrl,
    { request, maxMs, signal, onStep }: VisitOptions,
    send: (context: VisitContext, target: Target) => Promise<VisitResults>,
  ): Promise<Evidence> {
    signal.throwIfAborted();
    const { guard, vetting } = vetted;
    const startedAt = performance.now();
    const stalledBefore = readStandstill();
    const known = describeVisit(vetting, request);
    if (!vetting.ok)
      return {
        ...known,
        durationMs: 0,
        ...describeUnvisited(vetting, "guard", vetting.refusal.code),
      };
    const { target } = vetting;
    const deadline = openDeadline(signal, maxMs);
    deadline.signal.addEventListener("abort", vetted.close, { once: true });
    const connections = openConnections();
    const secrets = openSecrets(request.headers, target.url);
    const burst = openBurst();
    const odd: OddAnswer[] = [];
    const context: VisitContext = {
      guard,
      budget: openBudget(MAX_REQUESTS),
      room: openRoom(MAX_READ_BYTES),
      connections,
      secureContexts,
      offers: new Map(),
      userAgent,
      secrets,
      burst,
      own: { origin: target.url.origin, headers: request.headers },
      signal: deadline.signal,
      onStep,
      onAnswer(from, { status, rawHeaders }) {
        burst.note(from.host, status);
        secrets.noteCookies(from.url, rawHeaders);
      },
      onOddAnswer({ url }, oddities, isOfHttp1Alone) {
        odd.push({ url: redactUrl(url), offersHttp2: !isOfHttp1Alone, oddities });
      },
    };
    try {
      const results = await send(context, target);
      signal.throwIfAborted();
      const stalledMs = Math.round(readStandstill() - stalledBefore);
      const durationMs = elapsedMs(startedAt);
      const oddAnswers = listOddAnswers(odd, results.page);
      const evidence = { ...known, durationMs, stalledMs, ...results, oddAnswers };
      return isUnmasked ? evidence : secrets.hide(evidence);
    } finally {
      deadline.abort();
      deadline.clear();
      connections.close();
    }
  }

  function run(vetted: VettedUrl, request: VisitRequest, signal: AbortSignal): Promise<Evidence> {
    const options = { request, maxMs: CHECK_TIMEOUT_MS, signal };
    return visitWith(vetted, options, (context, target) =>
      runWaves(context, target, { httpPort: network.httpPort, ...request }),
    );
  }

  function probe(vetted: VettedUrl, order: ProbeOrder, signal: AbortSignal): Promise<Evidence> {
    const { url, onStep } = order;
    const request = { url, preview: false, headers: {} };
    const maxMs = Math.min(order.maxMs, CHECK_TIMEOUT_MS);
    const options = { request, maxMs, signal, onStep };
    return visitWith(vetted, options, async (context, target) => ({
      ...NO_OTHER_RESULTS,
      page: await readPageOnce(context, target),
    }));
  }

  async function readFiles<Read>(
    signal: AbortSignal,
    maxMs: number,
    read: (client: HttpClient) => Promise<Read>,
  ): Promise<Read> {
    const deadline = openDeadline(signal, maxMs);
    const connections = openConnections();
    const own = { origin: "", headers: {} };
    const offers = new Map();
    const shared = { connections, secureContexts, offers, userAgent, own, onAnswer() {} };
    try {
      return await read({ ...shared, signal: deadline.signal });
    } finally {
      deadline.abort();
      deadline.clear();
      connections.close();
    }
  }

  async function readOwner({ vetting }: VettedUrl, signal: AbortSignal): Promise<RobotsPermission> {
    if (!vetting.ok) return { refuses: false, isFinal: false };
    return readFiles(signal, OWNER_TIMEOUT_MS, (client) => readOwnerRobots(client, vetting.target));
  }

  const readSitemapsOf = ({ guard }: VettedUrl, url: string, signal: AbortSignal) =>
    readFiles(signal, SITEMAP_TIMEOUT_MS, (client) => readSitemaps(client, guard, url));

  return { vet: createVet(network), run, probe, readOwner, readSitemaps: readSitemapsOf };
}

/** The visit was given up because it harmed the check's thread. */
export function giveUpVisit(
  { vetting }: Pick<VettedUrl, "vetting">,
  request: VisitRequest,
  code: GiveUpCode,
): Evidence {
  const known = describeVisit(vetting, request);
  return { ...known, durationMs: 0, ...describeUnvisited(vetting, "check", code) };
}

const MAX_ODD_ANSWERS = 10;

/** Answers arrive in any order, so they are sorted. */
function listOddAnswers(odd: readonly OddAnswer[], page: Evidence["page"]): OddAnswer[] {
  const byUrl = new Map<string, OddAnswer>();
  for (const one of odd) {
    const oddities = [...(byUrl.get(one.url)?.oddities ?? []), ...one.oddities];
    byUrl.set(one.url, { ...one, oddities: [...new Set(oddities)].toSorted() });
  }
  const rank = ({ url }: OddAnswer): number => (page.hops.some((hop) => hop.url === url) ? 0 : 1);
  return [...byUrl.values()]
    .toSorted((one, other) => rank(one) - rank(other) || (one.url < other.url ? -1 : 1))
    .slice(0, MAX_ODD_ANSWERS);
}

function describeVisit(vetting: Vetting, { url, preview }: VisitRequest) {
  return {
    version: EVIDENCE_VERSION,
    url: redactUrl(url),
    preview,
    checkedAt: new Date().toISOString(),
    stalledMs: 0,
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
    isConfirmed: vetting.ok ? null : (vetting.refusal.isConfirmed ?? null),
    addresses: [...site.addresses],
    durationMs: Math.round(site.dnsMs * 10) / 10,
  };
}

function describeUnvisited(vetting: Vetting, phase: Failure["phase"], code: string) {
  const { host, dnsMs } = vetting.ok ? vetting.target : vetting.refusal;
  const failure = { phase, code, detail: host ?? "" };
  const chain = { hops: [], failure, stop: null, tls: null };
  const timings = { ...UNTIMED, dnsMs: Math.round(dnsMs * 10) / 10 };
  const page = { ...chain, attempts: 0, timings, body: null, browserStatus: null, leadsTo: null };
  return { ...NO_OTHER_RESULTS, page, oddAnswers: [] };
}

const NO_OTHER_RESULTS: Omit<VisitResults, "page"> = {
  cors: { ...SKIPPED, origin: null },
  drawnCookies: [],
  plainHttp: null,
  robots: { ...SKIPPED, blocks: null, closedFiles: [], badLine: null, sitemaps: [], page: null },
  sitemap: null,
  notFound: { ...SKIPPED, url: "", location: null, leak: null, banner: null, repeatsPage: null },
  missingFile: null,
  twin: null,
  legacyTls: { outcome: "unknown", protocol: null, code: null },
  alpn: { outcome: "unknown", code: null },
  lastHost: null,
  assets: [],
  assetCount: 0,
  cardImages: [],
  sourceMap: null,
  previousFiles: [],
  links: [],
  linkCount: 0,
  firstBytes: [],
};
