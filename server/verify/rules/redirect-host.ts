import type { Evidence } from "../../probe/evidence.ts";
import { GATEKEEPER_STATUSES } from "../gatekeeper.ts";
import { pageUrl } from "../page.ts";
import { describeRefusal } from "../refusals.ts";
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
} from "../rule.ts";
import { coversHost } from "./tls-hostname.ts";

type Twin = NonNullable<Evidence["twin"]>;

const TIMEOUTS = /TIMEOUT|TIMEDOUT/i;

function judgeFailure({ url, failure }: Twin): Judgement | undefined {
  if (!failure) return undefined;
  const name = new URL(url).hostname;
  if (failure.phase === "guard") {
    if (failure.code === "not_found")
      return pass(text(`${name} n'existe pas.`, `${name} does not exist.`));
    const why = describeRefusal("private");
    return failure.code === "private"
      ? fail(text(`${name} : ${why.fr}.`, `${name}: ${why.en}.`))
      : unknown(text(`${name} n'a pas pu être trouvé.`, `${name} could not be looked up.`));
  }
  const code = cut(failure.code, 80);
  const seen = text(`${name} ne répond pas (${code}).`, `${name} does not answer (${code}).`);
  const isTimeout = failure.phase === "deadline" || TIMEOUTS.test(failure.code);
  return isTimeout ? unknown(seen) : fail(seen);
}

function findBadCertificate({ hops, tls }: Twin): string | undefined {
  const handshakes = [...hops.flatMap((hop) => hop.tls ?? []), ...(tls ? [tls] : [])];
  const bad = handshakes.find((one) => one.chainError !== null || !coversHost(one));
  return bad && (bad.chainError?.code ?? "ERR_TLS_CERT_ALTNAME_INVALID");
}

function judgeTwin(evidence: Evidence, twin: Twin): Judgement {
  const name = new URL(twin.url).hostname;
  const code = findBadCertificate(twin);
  if (code !== undefined)
    return fail(
      text(
        `Le certificat de ${name} n'est pas valable (${cut(code, 80)}).`,
        `The certificate of ${name} is not valid (${cut(code, 80)}).`,
      ),
      text(
        `Faites couvrir ${name} par le certificat, puis redirigez-le vers l'hôte du site.`,
        `Have the certificate cover ${name}, then redirect it to the site's host.`,
      ),
    );
  const failure = judgeFailure(twin);
  if (failure) return failure;
  const last = twin.hops.at(-1);
  if (twin.stop || !last)
    return fail(
      text(`${name} redirige, mais pas vers une page.`, `${name} redirects, but not to a page.`),
    );
  const here = pageUrl(evidence).hostname;
  const end = new URL(last.url);
  if (end.hostname === here)
    return pass(
      text(
        `${name} et le site mènent tous deux à ${here}.`,
        `${name} and the site both lead to ${here}.`,
      ),
    );
  const seen = text(
    `${cut(last.url, 150)} répond ${last.status} à côté de ${here}.`,
    `${cut(last.url, 150)} answers ${last.status} beside ${here}.`,
  );
  if (GATEKEEPER_STATUSES.includes(last.status)) return unknown(seen);
  const canonical = twin.canonical ?? "";
  const isCanonicalHere =
    last.status === 200 && URL.canParse(canonical) && new URL(canonical).hostname === here;
  return isCanonicalHere ? partial("canonical", seen) : fail(seen);
}

export const redirectHost: Rule = {
  id: "redir.host",
  title: text("Une seule adresse, avec ou sans www", "One address, with or without www"),
  measures: text(
    "Le jumeau de l'hôte (avec ou sans www) redirige vers la page ou n'existe pas ; une copie dont le lien canonique mène ici vaut la moitié.",
    "The host's twin (with or without www) redirects here or does not exist; a copy whose canonical link leads here is worth half.",
  ),
  matters: text(
    "Qui tape l'autre forme du nom tombe sur une erreur ou sur une copie du site.",
    "Visitors who type the other form of the name meet an error or a copy of the site.",
  ),
  fix: text(
    "Redirigez l'autre forme du nom vers celle-ci par un 301, avec un certificat qui couvre les deux.",
    "Redirect the other form of the name to this one with a 301, under a certificate that covers both.",
  ),
  standard: {
    name: "RFC 9110, 15.4.2",
    url: "https://www.rfc-editor.org/rfc/rfc9110#section-15.4.2",
  },
  parents: ownAnswer,
  judge(evidence) {
    const { twin } = evidence;
    if (!twin)
      return notApplicable(
        text(
          "Cet hôte n'a pas de jumeau avec ou sans www.",
          "This host has no twin with or without www.",
        ),
      );
    if (twin.skipped)
      return unknown(
        text(
          "Le jumeau n'a pas été essayé, faute de temps.",
          "The twin was not tried, for want of time.",
        ),
      );
    return judgeTwin(evidence, twin);
  },
};
