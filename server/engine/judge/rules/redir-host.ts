import type { Evidence } from "../../evidence/evidence.ts";
import type { Hop } from "../../evidence/exchange.ts";
import type { Tls } from "../../evidence/tls.ts";
import { findFault, nameFault } from "../facts/chain-faults.ts";
import { isUnrouted } from "../facts/failure-fixes.ts";
import { GATEKEEPER_STATUSES } from "../../../base/syntax/statuses.ts";
import { isPrivateHost } from "../../../base/syntax/private-hosts.ts";
import { pageHandshakes, pageUrl, urlOf } from "../../evidence/page.ts";
import { phraseRefusal } from "../facts/refusals.ts";
import type { Judgement, Rule } from "../rule.ts";
import { cut, fail, notApplicable, ownAnswer, partial, pass, unknown } from "../rule.ts";
import { listMoves } from "./redir-https.ts";
import { coversHost } from "./tls-hostname.ts";

type Twin = NonNullable<Evidence["twin"]>;

const TIMEOUTS = /TIMEOUT|TIMEDOUT/i;

function judgeRefusal(name: string, code: string): Judgement {
  if (code === "not_found" || (code === "private" && isPrivateHost(name)))
    return pass({ fr: `${name} n'existe pas.`, en: `${name} does not exist.` });
  if (code === "port")
    return notApplicable({
      fr: `${name} n'a pas à répondre sur ce port.`,
      en: `${name} has no need to answer on this port.`,
    });
  const why = phraseRefusal("private");
  return code === "private"
    ? fail({ fr: `${name} : ${why.fr}.`, en: `${name}: ${why.en}.` })
    : unknown({ fr: `${name} n'a pas pu être trouvé.`, en: `${name} could not be looked up.` });
}

function judgeFailure(twin: Twin): Judgement | undefined {
  const { url, failure } = twin;
  if (!failure) return undefined;
  const name = listMoves(twin).at(-1)?.to.hostname ?? urlOf(url).hostname;
  if (failure.phase === "guard") return judgeRefusal(name, failure.code);
  const code = cut(failure.code, 80);
  if (/no_application_protocol/i.test(code))
    return unknown({ fr: `${name} refuse HTTP/1.1.`, en: `${name} refuses HTTP/1.1.` });
  const seen = { fr: `${name} ne répond pas (${code}).`, en: `${name} does not answer (${code}).` };
  const isUnsettled =
    isUnrouted(failure) || failure.phase === "deadline" || TIMEOUTS.test(failure.code);
  return isUnsettled ? unknown(seen) : fail(seen);
}

function isBad(tls: Tls): boolean {
  return tls.chainError !== null || !coversHost(tls);
}

/** A bad certificate of the twin's own. A certificate that the page's connections present too is only charged there. */
function findBadCertificate(evidence: Evidence, { hops, tls }: Twin): Tls | undefined {
  const name = ({ certificate }: Tls): string => JSON.stringify(certificate);
  const charged = pageHandshakes(evidence).filter(isBad).map(name);
  const handshakes = [...hops.flatMap((hop) => hop.tls ?? []), ...(tls ? [tls] : [])];
  return handshakes.find((one) => isBad(one) && !charged.includes(name(one)));
}

function judgeCertificate(tls: Tls, checkedAt: string): Judgement {
  const { host } = tls;
  if (tls.chainError) {
    const { what, fix } = findFault(tls, checkedAt);
    const code = nameFault(tls);
    return fail(
      {
        fr: `Le certificat présenté pour ${host} est refusé : ${what.fr} (${code}).`,
        en: `The certificate shown for ${host} is refused: ${what.en} (${code}).`,
      },
      fix,
    );
  }
  return fail(
    {
      fr: `Le certificat présenté pour ${host} est celui d'un autre hôte (ERR_TLS_CERT_ALTNAME_INVALID).`,
      en: `The certificate shown for ${host} belongs to another host (ERR_TLS_CERT_ALTNAME_INVALID).`,
    },
    {
      fr: `Faites couvrir ${host} par un certificat valable (certbot --expand -d ${host}, et -d pour chaque nom qu'il couvre déjà), puis redirigez-le vers l'hôte du site.`,
      en: `Have a valid certificate cover ${host} (certbot --expand -d ${host}, and -d for each name that it covers already), then redirect it to the site's host.`,
    },
  );
}

function judgeCopy({ url, status }: Hop, canonical: string | null, here: string): Judgement {
  const seen = {
    fr: `${cut(url, 150)} répond ${status} au lieu de rediriger vers ${here}.`,
    en: `${cut(url, 150)} answers ${status} instead of redirecting to ${here}.`,
  };
  if (GATEKEEPER_STATUSES.includes(status)) return unknown(seen);
  const { hostname } = urlOf(url);
  const files = `/etc/letsencrypt/live/${hostname}`;
  const block = `server { listen 443 ssl; server_name ${hostname}; ssl_certificate ${files}/fullchain.pem; ssl_certificate_key ${files}/privkey.pem; return 301 https://${here}$request_uri; }`;
  const fix = {
    fr: `Redirigez ${hostname} vers ${here}, avec un certificat qui couvre ${hostname} (nginx : ${block}).`,
    en: `Redirect ${hostname} to ${here}, under a certificate that covers ${hostname} (nginx: ${block}).`,
  };
  const original = urlOf(canonical ?? "");
  return status === 200 && original.hostname === here
    ? partial("canonical", seen, fix)
    : fail(seen, fix);
}

function judgeTwin(evidence: Evidence, twin: Twin): Judgement {
  const name = urlOf(twin.url).hostname;
  const here = pageUrl(evidence).hostname;
  const bad = findBadCertificate(evidence, twin);
  if (bad) return judgeCertificate(bad, evidence.checkedAt);
  const last = twin.hops.at(-1);
  const leadsHere = listMoves(twin).some(
    ({ to }) => to.protocol === "https:" && to.hostname === here,
  );
  if (leadsHere || (last && !twin.stop && urlOf(last.url).hostname === here))
    return pass({
      fr: `${name} et le site mènent tous deux à ${here}.`,
      en: `${name} and the site both lead to ${here}.`,
    });
  const failure = judgeFailure(twin);
  if (failure) return failure;
  if (twin.stop || !last)
    return fail({
      fr: `${name} redirige, mais pas vers une page.`,
      en: `${name} redirects, but not to a page.`,
    });
  return judgeCopy(last, twin.canonical, here);
}

export const redirectHost: Rule = {
  id: "redir.host",
  title: { fr: "Une seule adresse, avec ou sans www", en: "One address, with or without www" },
  measures: {
    fr: "Le jumeau de l'hôte (avec ou sans www) redirige vers la page ou n'existe pas ; une copie dont le lien canonique mène ici vaut la moitié.",
    en: "The host's twin (with or without www) redirects here or does not exist; a copy whose canonical link leads here is worth half.",
  },
  matters: {
    fr: "Qui tape l'autre forme du nom tombe sur une erreur ou sur une copie du site.",
    en: "Visitors who type the other form of the name meet an error or a copy of the site.",
  },
  fix: {
    fr: "Redirigez l'autre forme du nom vers celle-ci par un 301, avec un certificat qui couvre les deux.",
    en: "Redirect the other form of the name to this one with a 301, under a certificate that covers both.",
  },
  standard: {
    name: "RFC 9110, 15.4.2",
    url: "https://www.rfc-editor.org/rfc/rfc9110#section-15.4.2",
  },
  parents: ownAnswer,
  judge(evidence) {
    const { twin } = evidence;
    if (!twin)
      return notApplicable({
        fr: "Cet hôte n'a pas de jumeau avec ou sans www.",
        en: "This host has no twin with or without www.",
      });
    if (twin.skipped)
      return unknown({
        fr: "Le jumeau n'a pas été essayé, faute de temps.",
        en: "The twin was not tried, for want of time.",
      });
    return judgeTwin(evidence, twin);
  },
};
