import type { Evidence } from "../../evidence/evidence.ts";
import type { Headers, Hop } from "../../evidence/exchange.ts";
import { isMissingInBucket } from "./buckets.ts";
import { findMove, findSignIn } from "./domains.ts";
import { findAnswer, headerValues, urlOf } from "../../evidence/accessors.ts";
import { findParseFault } from "./failure-fixes.ts";
import { findKnown } from "./stand-ins.ts";
import { GATEKEEPER_STATUSES, NOT_ACCEPTABLE } from "../../../base/syntax/http.ts";
import { type Judgement, cut, unknown } from "../rule.ts";

function findLogin(evidence: Evidence): string | undefined {
  const move = findMove(evidence);
  return move?.kind === "login" ? move.to : undefined;
}

/** Headers by which a gatekeeper marks its own answers. */
const GATE_HEADERS: readonly (readonly [name: string, value: RegExp])[] = [
  ["cf-mitigated", /^challenge$/i],
  ["x-amzn-waf-action", /^(?:challenge|captcha)$/i],
  ["x-vercel-mitigated", /^(?:challenge|deny)$/i],
  ["x-sucuri-block", /^/],
];
/** Filters that use 406. Some of them name themselves in each answer. */
const FILTER_SERVER = /mod_?security|imunify360|sucuri|cloudproxy|bitninja/i;

export function isMarkedByGate(headers: Headers): boolean {
  return GATE_HEADERS.some(([name, value]) =>
    headerValues(headers, name).some((one) => value.test(one.trim())),
  );
}

function isFiltered({ page }: Evidence, { status, headers }: Hop): boolean {
  if (status !== NOT_ACCEPTABLE) return false;
  const isDifferent = page.browserStatus !== null && page.browserStatus !== status;
  return isDifferent || headerValues(headers, "server").some((name) => FILTER_SERVER.test(name));
}

/** An access control answered in place of the page. */
export function isGatekept(evidence: Evidence): boolean {
  const answer = findAnswer(evidence);
  if (!answer) return false;
  if (findLogin(evidence)) return true;
  if (isMarkedByGate(answer.headers) || isFiltered(evidence, answer)) return true;
  if (evidence.page.body?.challenge) return true;
  if (!GATEKEEPER_STATUSES.includes(answer.status) || isMissingInBucket(answer)) return false;
  return findKnown("text", evidence.page.body?.html?.text ?? "") === undefined;
}

/** A gatekeeper of the page also answers other requests to the site, often with 200. */
export function isBehindGate(
  evidence: Evidence,
  { status, headers }: Pick<Hop, "status" | "headers">,
): boolean {
  if (GATEKEEPER_STATUSES.includes(status) || isMarkedByGate(headers)) return true;
  const isPageGate =
    Boolean(evidence.page.body?.challenge) || isMarkedByGate(findAnswer(evidence)?.headers ?? []);
  return isPageGate && status < 300;
}

/** The check cannot read the server's HTTP/1.1. It does not speak HTTP/2, which browsers use there. */
export function needsHttp2(evidence: Evidence): boolean {
  return evidence.page.failure?.phase === "http1";
}

function judgeHttp2({ page }: Evidence): Judgement {
  const fault = page.failure ? findParseFault(page.failure) : undefined;
  if (fault)
    return unknown({
      fr: `Les navigateurs utilisent HTTP/2 avec ce serveur. La vérification n'utilise que HTTP/1.1, et cette réponse y est illisible : ${fault.what.fr}.`,
      en: `Browsers use HTTP/2 with this server. The check only uses HTTP/1.1, over which this response cannot be read: ${fault.what.en}.`,
    });
  return unknown({
    fr: "Le serveur refuse HTTP/1.1, la version qu'utilise la vérification, et exige HTTP/2 : la page n'a pas pu être lue.",
    en: "The server refuses HTTP/1.1, the version that the check uses, and requires HTTP/2: the page could not be read.",
  });
}

function judgeSignIn({ url }: Evidence, signIn: URL): Judgement {
  const page = cut(urlOf(url).pathname, 100);
  const shown = cut(`${signIn.origin}${signIn.pathname}`, 150);
  return unknown(
    {
      fr: `${page} ne s'affiche qu'après connexion : la page reçue est ${shown}.`,
      en: `${page} is only shown after signing in: the page received is ${shown}.`,
    },
    {
      fr: "Ajoutez l'en-tête d'un compte de test (Cookie ou Authorization) à SHIPSCORE_TARGET_HEADERS, ou vérifiez plutôt la page de connexion.",
      en: "Add the header of a test account (Cookie or Authorization) to SHIPSCORE_TARGET_HEADERS, or check the sign-in page instead.",
    },
  );
}

export function judgeUnread(evidence: Evidence): Judgement | undefined {
  if (needsHttp2(evidence)) return judgeHttp2(evidence);
  const signIn = findSignIn(evidence);
  if (signIn) return judgeSignIn(evidence, signIn);
  if (!isGatekept(evidence)) return undefined;
  const { headers = [], status } = findAnswer(evidence) ?? {};
  const { challenge } = evidence.page.body ?? {};
  const names = [challenge, findLogin(evidence), ...headerValues(headers, "www-authenticate")];
  const who = cut(names.filter(Boolean).join(", "), 80);
  const by = who === "" ? "" : ` (${who})`;
  return unknown(
    {
      fr: `Un contrôle d'accès a répondu à la place de la page, avec le statut ${status}${by}.`,
      en: `An access control responded in place of the page, with status ${status}${by}.`,
    },
    {
      fr: "Laissez passer la vérification (son User-Agent l'identifie), ou ajoutez à SHIPSCORE_TARGET_HEADERS l'en-tête qui donne accès à l'aperçu.",
      en: "Let the check through (its User-Agent identifies it), or add the preview's bypass header to SHIPSCORE_TARGET_HEADERS.",
    },
  );
}
