import type { Evidence } from "../../evidence/evidence.ts";
import type { RedirectChain, Hop, RefusalCode, Stop } from "../../evidence/exchange.ts";
import { findUrl } from "../../../base/syntax/url.ts";
import { REDIRECT_STATUSES } from "../../../base/syntax/http.ts";
import { findPreloaded, PRELOAD_LIST } from "../facts/hsts-preload.ts";
import { findFix } from "../facts/failure-fixes.ts";
import { isBehindGate } from "../facts/gatekeeper.ts";
import { phraseRefusal } from "../facts/url-refusals.ts";
import { isRateLimit } from "../facts/limits.ts";
import { findPlatform } from "../facts/platforms.ts";
import { isPlainHost } from "../facts/hosts.ts";
import { withDirectives } from "../facts/web-server.ts";
import { findAnswer, headerValues, urlOf } from "../../evidence/accessors.ts";
import { isUnrouted } from "../facts/failure-fixes.ts";
import {
  type Fix,
  type Judgement,
  type Rule,
  cut,
  fail,
  notApplicable,
  ownAnswer,
  partial,
  pass,
  unknown,
  unknownAtWorst,
  verbatim,
  rfc,
} from "../rule.ts";

export interface Move {
  readonly from: URL;
  readonly to: URL;
  readonly status: number;
}

/** Includes a last redirect that the check did not follow. */
export function listMoves({ hops }: Pick<RedirectChain, "hops">): Move[] {
  return hops.flatMap(({ url, status, headers }, index) => {
    const location = hops[index + 1]?.url ?? headerValues(headers, "location")[0];
    if (!REDIRECT_STATUSES.includes(status) || location === undefined) return [];
    const from = findUrl(url);
    const to = from && findUrl(location, from);
    return to ? [{ from, to, status }] : [];
  });
}

export function describeMoves(moves: readonly Move[]): string {
  const lines = moves.map(({ from, to, status }) => `${from.href} → ${status} → ${to.href}`);
  return cut([...new Set(lines)].join(", "), 300);
}

type PlainHttp = NonNullable<Evidence["plainHttp"]>;

export const DOWNGRADE_FIX = {
  fr: "Dans l'en-tête Location de cette redirection, écrivez https: à la place de http:.",
  en: "In the Location header of this redirect, write https: in place of http:.",
};

const NO_CONTENT: readonly number[] = [204, 205];

function judgeClosed({ failure }: PlainHttp): Judgement {
  if (failure === null || failure.code === "ECONNREFUSED")
    return pass({ fr: "Le port 80 est fermé.", en: "Port 80 is closed." });
  return pass({
    fr: "Le port 80 ne répond pas : rien n'est servi en http.",
    en: "Port 80 does not respond: nothing is served over http.",
  });
}

function findRefresh({ hops, refresh }: PlainHttp): URL | undefined {
  const last = hops.at(-1);
  const [value = refresh] = headerValues(last?.headers ?? [], "refresh");
  const target = value && /^[^;,]*[;,]\s*(?:url\s*=\s*)?(\S.*)$/i.exec(value)?.[1];
  return target && last ? findUrl(target, findUrl(last.url)) : undefined;
}

/**
 * The redirect harms nobody: host and path stay the same (RFC 9110, 15.4.2), and the check has read the page over
 * https. Behind a proxy that ends TLS, a web server sees only http and would redirect forever.
 */
function fixFirst(first?: Hop): Fix {
  const { hostname } = urlOf(first?.url ?? "");
  const ofApache = isPlainHost(hostname) && { Apache: `Redirect permanent / https://${hostname}/` };
  return (
    findPlatform(first?.headers)?.https ??
    withDirectives(
      {
        fr: "Redirigez d'abord vers https sur le même hôte, là où TLS se termine : sur le proxy s'il y en a un, sinon sur le serveur du port 80",
        en: "Redirect to https on the same host first, where TLS terminates: on the proxy if there is one, otherwise on the server on port 80",
      },
      {
        nginx: "return 301 https://$host$request_uri;",
        ...ofApache,
        Caddy: "redir https://{host}{uri} permanent",
      },
      first,
    )
  );
}

function judgeUnmoved(evidence: Evidence, plainHttp: PlainHttp, last: Hop): Judgement {
  const shown = cut(last.url, 200);
  const { status } = last;
  if (isBehindGate(evidence, last))
    return unknown({
      fr: `Un contrôle d'accès a répondu en http, avec le statut ${status}.`,
      en: `An access control responded over http, with status ${status}.`,
    });
  if (isRateLimit(evidence, last))
    return unknown({
      fr: `${shown} répond ${status}, mais a répondu à d'autres requêtes.`,
      en: `${shown} responds with ${status}, but responded to other requests.`,
    });
  const fix = fixFirst(plainHttp.hops[0]);
  const refresh = findRefresh(plainHttp);
  if (refresh?.protocol === "https:")
    return partial(
      "other_way",
      {
        fr: `${shown} répond ${status} et renvoie vers ${cut(refresh.href, 150)} par un rafraîchissement (Refresh), et non par une redirection.`,
        en: `${shown} responds with ${status} and leads to ${cut(refresh.href, 150)} with a Refresh, not with a redirect.`,
      },
      fix,
    );
  const preloaded = findPreloaded(urlOf(plainHttp.hops[0]?.url ?? last.url).hostname);
  if (preloaded !== undefined)
    return partial(
      "dead_end",
      {
        fr: `${shown} répond ${status} sans rediriger vers https. Les navigateurs n'y accèdent pas, car .${preloaded} est dans leur liste de préchargement HSTS (${PRELOAD_LIST}), mais d'autres clients y accèdent.`,
        en: `${shown} responds with ${status} without redirecting to https. Browsers never go there, since .${preloaded} is on their HSTS preload list (${PRELOAD_LIST}), but other clients do.`,
      },
      fix,
    );
  if (status >= 200 && status < 300 && !NO_CONTENT.includes(status))
    return fail(
      {
        fr: `${shown} répond ${status} sans rediriger vers https.`,
        en: `${shown} responds with ${status} without redirecting to https.`,
      },
      fix,
    );
  return partial(
    "dead_end",
    {
      fr: `${shown} répond ${status} : aucune page n'est servie en http, mais rien ne redirige vers https.`,
      en: `${shown} responds with ${status}: no page is served over http, but nothing redirects to https.`,
    },
    fix,
  );
}

/** Refusals that hold for every visitor. */
const DEAD_REFUSALS: readonly (RefusalCode | null)[] = ["not_found", "private", "unparseable"];

function judgeStopped({ url, reason, refusal }: Stop, fix: Fix): Judgement | undefined {
  if (reason === "downgrade" || reason === "unreached") return undefined;
  const to = cut(url, 150);
  if (reason !== "refused") {
    const found = {
      fr: `http redirige vers ${to} : les redirections n'aboutissent à aucune page.`,
      en: `http redirects to ${to}: the redirects lead to no page.`,
    };
    return partial("dead_end", found, fix);
  }
  const why = refusal === null ? { fr: "URL refusée", en: "URL refused" } : phraseRefusal(refusal);
  const found = {
    fr: `http redirige vers ${to}, que la vérification ne visite pas : ${why.fr}.`,
    en: `http redirects to ${to}, which the check does not visit: ${why.en}.`,
  };
  const dead = partial("dead_end", found, fix);
  return DEAD_REFUSALS.includes(refusal) ? dead : unknownAtWorst(dead, found);
}

/** Undefined if the redirects lead to a page, or if the page itself is missing, which its own rules report. */
function judgeDeadEnd(evidence: Evidence, plainHttp: PlainHttp, to: URL): Judgement | undefined {
  const { failure, stop, hops } = plainHttp;
  const page = findAnswer(evidence);
  const last = hops.at(-1);
  if (!page || page.status >= 400 || !last) return undefined;
  if (stop) return judgeStopped(stop, fixFirst(hops[0]));
  const isPage = evidence.page.hops.some(({ url }) => urlOf(url).href === to.href);
  if (failure && failure.phase !== "body") {
    if (isPage) return undefined;
    const code = cut(failure.code, 80);
    const found = {
      fr: `http redirige vers ${cut(to.href, 150)}, qui ne répond pas (${code}).`,
      en: `http redirects to ${cut(to.href, 150)}, which does not respond (${code}).`,
    };
    const isUnsettled = isUnrouted(failure) || ["deadline", "guard"].includes(failure.phase);
    const dead = partial("dead_end", found, fixFirst(hops[0]));
    return isUnsettled ? unknownAtWorst(dead, found) : dead;
  }
  const { status } = last;
  if (status < 400 || isBehindGate(evidence, last) || isRateLimit(evidence, last)) return undefined;
  const shown = cut(last.url, 150);
  return partial(
    "dead_end",
    {
      fr: `http redirige vers ${shown}, qui répond ${status}.`,
      en: `http redirects to ${shown}, which responds with ${status}.`,
    },
    fixFirst(hops[0]),
  );
}

function judgePlainHttp(evidence: Evidence, plainHttp: PlainHttp): Judgement {
  const { closed, skipped, hops, failure, stop } = plainHttp;
  if (closed) return judgeClosed(plainHttp);
  const last = hops.at(-1);
  if (skipped || !last)
    return unknown({
      fr: "La requête en http est restée sans réponse.",
      en: "The http request got no response.",
    });
  const moves = listMoves(plainHttp);
  const [move] = moves;
  const path = describeMoves(moves);
  if (stop?.reason === "headers")
    return partial(
      "dead_end",
      {
        fr: `Les navigateurs refusent la redirection de ${cut(last.url, 200)} : ${cut(failure?.detail ?? "", 100)}.`,
        en: `Browsers refuse the redirect of ${cut(last.url, 200)}: ${cut(failure?.detail ?? "", 100)}.`,
      },
      failure ? findFix(failure, urlOf(last.url)) : undefined,
    );
  if (stop?.reason === "downgrade")
    return fail(
      {
        fr: `http redirige vers https, puis de nouveau vers http : ${path}.`,
        en: `http redirects to https, then back to http: ${path}.`,
      },
      DOWNGRADE_FIX,
    );
  const end = moves.at(-1)?.to;
  const dead = end?.protocol === "https:" ? judgeDeadEnd(evidence, plainHttp, end) : undefined;
  if (dead) return dead;
  if (move?.to.protocol === "https:" && move.to.hostname === move.from.hostname)
    return pass(verbatim(path));
  if (moves.some(({ to }) => to.protocol === "https:"))
    return partial("other_way", verbatim(path), fixFirst(plainHttp.hops[0]));
  return failure && failure.phase !== "body"
    ? unknown(verbatim(path))
    : judgeUnmoved(evidence, plainHttp, last);
}

export const redirectToHttps: Rule = {
  id: "redir.https",
  title: { fr: "Redirection de http vers https", en: "Redirect from http to https" },
  measures: {
    fr: "En http, la première réponse redirige vers https sur le même hôte, ou le port 80 est fermé. Un détour avant https rapporte 3 points ; une réponse d'erreur en http, ou une redirection vers une URL https qui ne répond pas ou répond par une erreur, 2 points. La règle échoue si la page est servie en http, ou si une redirection vers https ramène à http.",
    en: "Over http, the first response redirects to https on the same host, or port 80 is closed. A detour before https earns 3 points. An error response over http earns 2 points, and so does a redirect to an https URL that fails or responds with an error. A page served over http fails, and so does a redirect to https that leads back to http.",
  },
  why: {
    fr: "Ce premier échange sans chiffrement peut être lu et détourné ; HSTS ne protège qu'un hôte déjà visité en https. Depuis la version 154, Chrome avertit avant d'ouvrir un site public en http.",
    en: "This first exchange is unencrypted and can be read and hijacked; HSTS only protects a host already visited over https. Since version 154, Chrome warns before it opens a public site over http.",
  },
  fix: fixFirst(),
  capReason: {
    fr: "La page est servie en http, où tout le réseau peut la lire et la modifier.",
    en: "The page is served over http, where anyone on the network can read and change it.",
  },
  standard: rfc(6797, "7.2"),
  parents: ownAnswer,
  judge(evidence) {
    if (evidence.plainHttp) return judgePlainHttp(evidence, evidence.plainHttp);
    return notApplicable({
      fr: "L'URL n'utilise pas le port 443 : il n'y a pas de port 80 à tester.",
      en: "The URL does not use port 443: there is no port 80 to test.",
    });
  },
};
