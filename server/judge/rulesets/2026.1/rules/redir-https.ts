import type { RedirectChain as Chain } from "../../../../evidence/exchange.ts";
import type { Evidence } from "../../../../evidence/evidence.ts";
import { GATEKEEPER_STATUSES } from "../gatekeeper.ts";
import { headerValues } from "../page.ts";
import {
  type Judgement,
  type Rule,
  cut,
  fail,
  notApplicable,
  ownAnswer,
  partial,
  pass,
  text,
  unknown,
  verbatim,
} from "../../../rule.ts";
import { isUrl } from "../../../../../shared/url.ts";

interface Move {
  readonly from: URL;
  readonly to: URL;
  readonly status: number;
}

/** The statuses on which browsers follow Location (Fetch, 2.2.6): neither 300 nor 304 nor 305. */
const REDIRECTS: readonly number[] = [301, 302, 303, 307, 308];

/** The redirects of a chain, the last one included where it was not followed. */
export function chainMoves({ hops }: Pick<Chain, "hops">): Move[] {
  return hops.flatMap(({ url, status, headers }, index) => {
    const location = hops[index + 1]?.url ?? headerValues(headers, "location")[0];
    if (!REDIRECTS.includes(status) || location === undefined) return [];
    if (!isUrl(location, url)) return [];
    return [{ from: new URL(url), to: new URL(location, url), status }];
  });
}

function describeMoves(moves: readonly Move[]): string {
  const lines = moves.map(({ from, to, status }) => `${from.href} → ${status} → ${to.href}`);
  return cut([...new Set(lines)].join(", "), 300);
}

function judgePlainHttp(plainHttp: NonNullable<Evidence["plainHttp"]>): Judgement {
  const { closed, skipped, hops } = plainHttp;
  if (closed) return pass(text("Le port 80 est fermé.", "Port 80 is closed."));
  const [first] = hops;
  if (skipped || !first)
    return unknown(
      text("La requête en http n'a pas eu de réponse.", "The http request got no answer."),
    );
  const moves = chainMoves(plainHttp);
  const [move] = moves;
  if (!move && GATEKEEPER_STATUSES.includes(first.status))
    return unknown(
      text(
        `Un contrôle d'accès a répondu en http : statut ${first.status}.`,
        `A gatekeeper answered over http: status ${first.status}.`,
      ),
    );
  if (!move)
    return fail(
      text(
        `${cut(first.url, 200)} répond ${first.status} sans rediriger vers https.`,
        `${cut(first.url, 200)} answers ${first.status} without redirecting to https.`,
      ),
    );
  const seen = verbatim(describeMoves(moves));
  if (move.to.protocol === "https:" && move.to.hostname === move.from.hostname) return pass(seen);
  if (moves.some(({ to }) => to.protocol === "https:")) return partial("other_way", seen);
  return plainHttp.failure ? unknown(seen) : fail(seen);
}

export const redirectToHttps: Rule = {
  id: "redir.https",
  title: text("Redirection de http vers https", "Redirect from http to https"),
  measures: text(
    "En http, la première réponse redirige vers https sur le même hôte, ou le port 80 est fermé.",
    "Over http, the first answer redirects to https on the same host, or port 80 is closed.",
  ),
  matters: text(
    "Ce premier échange en clair peut être lu et détourné, et HSTS ne s'applique qu'à un hôte atteint en https.",
    "That first exchange in the clear can be read and diverted, and HSTS only protects a host reached over https.",
  ),
  fix: text(
    "Redirigez d'abord vers https sur le même hôte (nginx : return 301 https://$host$request_uri;).",
    "Redirect to https on the same host first (nginx: return 301 https://$host$request_uri;).",
  ),
  standard: { name: "RFC 6797, 7.2", url: "https://www.rfc-editor.org/rfc/rfc6797#section-7.2" },
  parents: ownAnswer,
  judge({ plainHttp }) {
    if (plainHttp) return judgePlainHttp(plainHttp);
    return notApplicable(
      text(
        "L'adresse n'est pas sur le port 443 : il n'y a pas de port 80 à essayer.",
        "The address is not on port 443: there is no port 80 to try.",
      ),
    );
  },
};

const PERMANENT = [301, 308];

function bareName({ hostname }: URL): string {
  return hostname.replace(/^www\./, "");
}

/** From http to https, or from one form of a name to the other; a login at another host may well be temporary. */
function isLastingMove({ from, to }: Move): boolean {
  if (from.protocol !== to.protocol) return true;
  return from.hostname !== to.hostname && bareName(from) === bareName(to);
}

export const redirectPermanent: Rule = {
  id: "redir.permanent",
  title: text("Redirections permanentes", "Permanent redirects"),
  measures: text(
    "Le passage de http à https et d'un hôte à l'autre (www ou sans www) se fait par 301 ou 308.",
    "The move from http to https and from one host to the other (www or bare) uses 301 or 308.",
  ),
  matters: text(
    "Une redirection temporaire se refait à chaque visite, et les moteurs de recherche gardent l'ancienne adresse.",
    "A temporary redirect is made again at each visit, and search engines keep the old address.",
  ),
  fix: text(
    "Remplacez le statut de cette redirection par 301 ou 308 (nginx : return 301 …; — Apache : Redirect permanent …).",
    "Replace the status of this redirect by 301 or 308 (nginx: return 301 …; Apache: Redirect permanent …).",
  ),
  standard: {
    name: "RFC 9110, 15.4.2",
    url: "https://www.rfc-editor.org/rfc/rfc9110#section-15.4.2",
  },
  parents: ownAnswer,
  judge({ page, plainHttp, twin }) {
    const chains = [plainHttp, twin, page].filter((chain) => chain !== null);
    const moves = chains.flatMap(chainMoves).filter(isLastingMove);
    const temporary = moves.filter(({ status }) => !PERMANENT.includes(status));
    if (temporary.length > 0) return partial("temporary", verbatim(describeMoves(temporary)));
    if (plainHttp && !plainHttp.closed && plainHttp.hops.length === 0)
      return unknown(
        text("La requête en http n'a pas eu de réponse.", "The http request got no answer."),
      );
    if (twin?.skipped)
      return unknown(
        text(
          "Le jumeau n'a pas été essayé, faute de temps.",
          "The twin was not tried, for want of time.",
        ),
      );
    if (moves.length > 0) return pass(verbatim(describeMoves(moves)));
    return notApplicable(text("Aucune redirection à juger.", "No redirect to judge."));
  },
};
