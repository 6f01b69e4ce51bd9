import { pageHeader } from "../../evidence/page.ts";
import type { Fix, Rule } from "../rule.ts";
import { cut, fail, pageAnswer, pass, unknown, verbatim, withLine } from "../rule.ts";
import { rfc } from "../standards.ts";

const BANNERS = [
  "server",
  "x-powered-by",
  "x-aspnet-version",
  "x-aspnetmvc-version",
  "x-generator",
  "x-jenkins",
  "x-hudson",
  "liferay-portal",
];
const DISCLOSURE_FIX = {
  fr: "Retirez le numéro de version ou l'en-tête (nginx : server_tokens off; — Apache, hors des hôtes virtuels : ServerTokens Prod — Tomcat : ErrorReportValve avec showServerInfo=false — Express : app.disable('x-powered-by') — PHP : expose_php = Off).",
  en: "Remove the version number or the header (nginx: server_tokens off; Apache, outside virtual hosts: ServerTokens Prod; Tomcat: ErrorReportValve with showServerInfo=false; Express: app.disable('x-powered-by'); PHP: expose_php = Off).",
};
const DIRECTIVES: readonly (readonly [RegExp, string])[] = [
  [/^(?:server|banner): (?:nginx|openresty)\//i, "server_tokens off;"],
  [/^x-powered-by: php\//i, "expose_php = Off"],
];
const VERSION = /\d\.\d|[/\s]v?\d+(?!\w)/i;

/** The fix of headers that tell a version; one directive hides the version of one of them. */
function hide([line = "", ...others]: readonly string[]): Fix {
  const directive = DIRECTIVES.find(([pattern]) => pattern.test(line))?.[1];
  return others.length > 0 || directive === undefined
    ? DISCLOSURE_FIX
    : withLine(DISCLOSURE_FIX, directive);
}

export const disclosure: Rule = {
  id: "hdr.disclosure",
  title: { fr: "Versions des logiciels masquées", en: "Software versions hidden" },
  measures: {
    fr: "Ni Server, X-Powered-By et les en-têtes semblables, ni la page d'erreur du serveur pour un chemin inconnu ne donnent de numéro de version.",
    en: "Neither Server, X-Powered-By and similar headers nor the server's own error page for an unknown path give a version number.",
  },
  matters: {
    fr: "Une version visible indique aux attaquants quelles failles essayer.",
    en: "A visible version tells attackers which flaws to try.",
  },
  fix: DISCLOSURE_FIX,
  standard: rfc(9110, "10.2.4"),
  parents: pageAnswer,
  judge(evidence) {
    const lines = BANNERS.flatMap((name) =>
      pageHeader(evidence, name).map((value) => ({ value, line: `${name}: ${value}` })),
    );
    const telling = lines.filter(({ value }) => VERSION.test(value)).map(({ line }) => line);
    if (telling.length > 0) return fail(verbatim(cut(telling.join(", "), 200)), hide(telling));
    const { banner, status } = evidence.notFound;
    if (banner !== null)
      return fail(
        {
          fr: `La page d'erreur du serveur donne sa version : ${banner}.`,
          en: `The server's error page gives its version: ${banner}.`,
        },
        hide([`banner: ${banner}`]),
      );
    if (status === null)
      return unknown({
        fr: "Les en-têtes ne donnent aucun numéro de version ; la requête vers un chemin inconnu est restée sans réponse.",
        en: "The headers give no version number; the request for an unknown path got no response.",
      });
    return pass({
      fr: "Aucun numéro de version, ni dans les en-têtes ni dans la page d'erreur du serveur.",
      en: "No version number, in the headers or in the server's error page.",
    });
  },
};
