import type { Evidence } from "../../evidence/evidence.ts";
import type { Hop, Tls } from "../../evidence/exchange.ts";
import { findFault, nameFault, findPlatformFix } from "../facts/chain-faults.ts";
import { findParseFault, isUnrouted } from "../facts/failure-fixes.ts";
import { isBehindGate } from "../facts/gatekeeper.ts";
import { isPrivateHost } from "../../../base/syntax/private-hosts.ts";
import { pageHandshakes, pageUrl, urlOf } from "../../evidence/accessors.ts";
import { phraseRefusal } from "../facts/url-refusals.ts";
import { findPlatform } from "../facts/platforms.ts";
import { withDirectives } from "../facts/web-server.ts";
import {
  type Judgement,
  type Rule,
  cut,
  fail,
  notApplicable,
  ownAnswer,
  partial,
  pass,
  unknown,
  rfc,
} from "../rule.ts";
import { listMoves } from "./redir-https.ts";
import { coversHost } from "../../../base/syntax/certificate-names.ts";

type Twin = NonNullable<Evidence["twin"]>;

const TIMEOUTS = /TIMEOUT|TIMEDOUT/i;

function judgeRefusal(name: string, code: string): Judgement {
  if (code === "not_found" || (code === "private" && isPrivateHost(name)))
    return pass({ fr: `${name} n'existe pas.`, en: `${name} does not exist.` });
  if (code === "port")
    return notApplicable({
      fr: `${name} n'a pas à répondre sur ce port.`,
      en: `${name} does not have to respond on this port.`,
    });
  const why = phraseRefusal("private");
  return code === "private"
    ? fail({ fr: `${name} : ${why.fr}.`, en: `${name}: ${why.en}.` })
    : unknown({
        fr: `La résolution DNS de ${name} a échoué.`,
        en: `The DNS lookup of ${name} failed.`,
      });
}

function judgeFailure(twin: Twin): Judgement | undefined {
  const { url, failure } = twin;
  if (!failure) return undefined;
  const name = listMoves(twin).at(-1)?.to.hostname ?? urlOf(url).hostname;
  if (failure.phase === "guard") return judgeRefusal(name, failure.code);
  const code = cut(failure.code, 80);
  if (failure.phase === "http1")
    return unknown({
      fr: `${name} exige HTTP/2, que la vérification n'utilise pas (${code}).`,
      en: `${name} requires HTTP/2, which the check does not use (${code}).`,
    });
  const fault = findParseFault(failure);
  if (fault)
    return fail(
      {
        fr: `Les navigateurs ne peuvent pas lire la réponse de ${name} : ${fault.what.fr} (${code}).`,
        en: `Browsers cannot read the response of ${name}: ${fault.what.en} (${code}).`,
      },
      fault.fix,
    );
  const found = {
    fr: `${name} ne répond pas (${code}).`,
    en: `${name} does not respond (${code}).`,
  };
  const isUnsettled =
    isUnrouted(failure) || failure.phase === "deadline" || TIMEOUTS.test(failure.code);
  return isUnsettled ? unknown(found) : fail(found);
}

function isBad(tls: Tls): boolean {
  return tls.chainError !== null || !coversHost(tls.host, tls.certificate.sans);
}

/** Ignores a certificate that the page also presents, because the page's own rules report it. */
function findBadCertificate(evidence: Evidence, { hops, tls }: Twin): Tls | undefined {
  const name = ({ certificate }: Tls): string => JSON.stringify(certificate);
  const charged = pageHandshakes(evidence).filter(isBad).map(name);
  const handshakes = [...hops.flatMap((hop) => hop.tls ?? []), ...(tls ? [tls] : [])];
  return handshakes.find((one) => isBad(one) && !charged.includes(name(one)));
}

function judgeCertificate(tls: Tls, checkedAt: string, { hops }: Twin): Judgement {
  const { host } = tls;
  if (tls.chainError) {
    const { what, fix } = findFault(tls, checkedAt, hops);
    const code = nameFault(tls);
    return fail(
      {
        fr: `Le certificat servi pour ${host} est rejeté : ${what.fr} (${code}).`,
        en: `The certificate served for ${host} is rejected: ${what.en} (${code}).`,
      },
      fix,
    );
  }
  return fail(
    {
      fr: `Le certificat servi pour ${host} est celui d'un autre hôte (ERR_TLS_CERT_ALTNAME_INVALID).`,
      en: `The certificate served for ${host} belongs to another host (ERR_TLS_CERT_ALTNAME_INVALID).`,
    },
    findPlatformFix(tls, hops) ?? {
      fr: `Obtenez un certificat qui couvre ${host}, puis redirigez ${host} vers l'hôte du site.`,
      en: `Get a certificate that covers ${host}, then redirect ${host} to the site's host.`,
    },
  );
}

function judgeCopy(
  evidence: Evidence,
  hop: Hop,
  canonical: string | null,
  here: string,
): Judgement {
  const { url, status, headers } = hop;
  const found = {
    fr: `${cut(url, 150)} répond ${status} au lieu de rediriger vers ${here}.`,
    en: `${cut(url, 150)} responds with ${status} instead of redirecting to ${here}.`,
  };
  if (isBehindGate(evidence, hop)) return unknown(found);
  const { hostname } = urlOf(url);
  const words = {
    fr: `Redirigez ${hostname} vers ${here}, avec un certificat qui couvre ${hostname}`,
    en: `Redirect ${hostname} to ${here}, with a certificate that covers ${hostname}`,
  };
  const platform = findPlatform(headers)?.redirect;
  // In a virtual host for both names, this redirect would loop.
  const fix = platform
    ? { fr: `${words.fr} (${platform}).`, en: `${words.en} (${platform}).` }
    : withDirectives(
        {
          fr: `${words.fr}, dans un hôte virtuel pour ce seul nom`,
          en: `${words.en}, in a virtual host for this name alone`,
        },
        {
          nginx: `return 301 https://${here}$request_uri;`,
          Apache: `Redirect permanent / https://${here}/`,
          Caddy: `redir https://${here}{uri} permanent`,
        },
        { headers },
      );
  const original = urlOf(canonical ?? "");
  return status === 200 && original.hostname === here
    ? partial("canonical", found, fix)
    : fail(found, fix);
}

function judgeTwin(evidence: Evidence, twin: Twin): Judgement {
  const name = urlOf(twin.url).hostname;
  const here = pageUrl(evidence).hostname;
  const bad = findBadCertificate(evidence, twin);
  if (bad) return judgeCertificate(bad, evidence.checkedAt, twin);
  const last = twin.hops.at(-1);
  const leadsHere = listMoves(twin).some(
    ({ to }) => to.protocol === "https:" && to.hostname === here,
  );
  if (leadsHere || (last && !twin.stop && urlOf(last.url).hostname === here))
    return pass({
      fr: `${name} et l'URL demandée redirigent tous deux vers ${here}.`,
      en: `${name} and the requested URL both lead to ${here}.`,
    });
  const failure = judgeFailure(twin);
  if (failure) return failure;
  if (twin.stop?.reason === "unreached")
    return unknown({
      fr: `${name} redirige plus de 5 fois de suite : la suite n'a pas été testée.`,
      en: `${name} redirects more than 5 times in a row: the rest was not tested.`,
    });
  if (twin.stop || !last)
    return fail({
      fr: `${name} redirige, mais pas vers une page.`,
      en: `${name} redirects, but not to a page.`,
    });
  return judgeCopy(evidence, last, twin.canonical, here);
}

export const redirectHost: Rule = {
  id: "redir.host",
  title: { fr: "Variantes avec et sans www", en: "Variants with and without www" },
  measures: {
    fr: "La variante de l'hôte, avec ou sans www, redirige vers l'hôte de la page ou n'existe pas. Une copie du site dont l'URL canonique est sur cet hôte rapporte la moitié des points.",
    en: "The host's variant, with or without www, redirects to the page's host or does not exist. A copy of the site whose canonical URL is on that host earns half the points.",
  },
  why: {
    fr: "Le visiteur qui saisit l'autre variante du nom tombe sur une erreur ou sur une copie du site.",
    en: "Visitors who type the other variant of the name get an error or a copy of the site.",
  },
  fix: {
    fr: "Redirigez l'autre variante du nom vers celle-ci par un 301, avec un certificat qui couvre les deux.",
    en: "Redirect the other variant of the name to this one with a 301 and a certificate that covers both.",
  },
  standard: rfc(9110, "15.4.2"),
  parents: ownAnswer,
  judge(evidence) {
    const { twin } = evidence;
    if (!twin)
      return notApplicable({
        fr: "Cet hôte n'a pas de variante avec ou sans www.",
        en: "This host has no variant with or without www.",
      });
    if (twin.skipped)
      return unknown({
        fr: "La variante avec ou sans www n'a pas été testée, faute de temps.",
        en: "The variant with or without www was not tested: time ran out.",
      });
    return judgeTwin(evidence, twin);
  },
};
