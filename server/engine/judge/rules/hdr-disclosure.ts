import type { Language, Text } from "../../../../shared/language.ts";
import { pageHeader } from "../../evidence/accessors.ts";
import {
  addLine,
  type Fix,
  followFix,
  type Rule,
  cut,
  fail,
  pageAnswer,
  pass,
  sameText,
  unknown,
  verbatim,
  rfc,
} from "../rule.ts";

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
const HIDING: readonly (readonly [name: Text, directive: string, reveals?: RegExp])[] = [
  [sameText("nginx"), "server_tokens off;", /^(?:server|banner): (?:nginx|openresty)\//i],
  [
    { fr: "Apache, hors des hôtes virtuels", en: "Apache, outside virtual hosts" },
    "ServerTokens Prod",
    /^(?:server|banner): apache\//i,
  ],
  [sameText("PHP"), "expose_php = Off", /^x-powered-by: php\//i],
  [sameText("Express"), "app.disable('x-powered-by')"],
  [sameText("Tomcat"), "ErrorReportValve showServerInfo=false"],
  [
    sameText("IIS"),
    '<requestFiltering removeServerHeader="true" />',
    /^(?:server|banner): microsoft-iis\//i,
  ],
  [sameText("ASP.NET"), '<httpRuntime enableVersionHeader="false" />', /^x-aspnet-version: /i],
];
const VERSION = /\d\.\d|[/\s]v?\d+(?!\w)/i;

/** EdgeCast states the node that answered, as in `ECS (dcb/7531)`. */
const NODE = /^server: (?:EC[A-Za-z]{1,3}|EOS) \([a-z]{2,5}\/[\dA-F]{4}\)$/;

/** Each directive hides the version of one product only. */
function hide([line = "", ...others]: readonly string[]): Fix {
  const own = others.length > 0 ? undefined : HIDING.find(([, , reveals]) => reveals?.test(line));
  if (own) {
    const [{ fr, en }, directive] = own;
    const use = { fr: `Dans ${fr}, utilisez cette ligne.`, en: `In ${en}, use this line.` };
    return followFix(
      {
        fr: "Retirez le numéro de version ou l'en-tête.",
        en: "Remove the version number or the header.",
      },
      addLine(use, directive),
    );
  }
  const list = (language: Language, colon: string) =>
    HIDING.map(([name, directive]) => `${name[language]}${colon}${directive}`).join(" — ");
  return {
    fr: `Retirez le numéro de version ou l'en-tête (${list("fr", " : ")}).`,
    en: `Remove the version number or the header (${list("en", ": ")}).`,
  };
}

export const disclosure: Rule = {
  id: "hdr.disclosure",
  title: { fr: "Versions des logiciels masquées", en: "Software versions hidden" },
  measures: {
    fr: "Ni les en-têtes Server, X-Powered-By et semblables, ni la page d'erreur du serveur pour un chemin inconnu n'indiquent de numéro de version.",
    en: "No version number appears in Server, X-Powered-By and similar headers, or on the server's error page for an unknown path.",
  },
  why: {
    fr: "Une version visible indique aux attaquants quelles failles exploiter.",
    en: "A visible version shows attackers which flaws to try.",
  },
  fix: hide([]),
  standard: rfc(9110, "10.2.4"),
  parents: pageAnswer,
  judge(evidence) {
    const lines = BANNERS.flatMap((name) =>
      pageHeader(evidence, name).map((value) => ({ value, line: `${name}: ${value}` })),
    );
    const telling = lines
      .filter(({ value, line }) => VERSION.test(value) && !NODE.test(line))
      .map(({ line }) => line);
    if (telling.length > 0) return fail(verbatim(cut(telling.join(", "), 200)), hide(telling));
    const { banner, status } = evidence.notFound;
    if (banner !== null)
      return fail(
        {
          fr: `La page d'erreur du serveur indique sa version : ${banner}.`,
          en: `The server's error page states its version: ${banner}.`,
        },
        hide([`banner: ${banner}`]),
      );
    if (status === null)
      return unknown({
        fr: "Les en-têtes n'indiquent aucun numéro de version ; la requête vers un chemin inconnu est restée sans réponse.",
        en: "The headers state no version number; the request for an unknown path got no response.",
      });
    return pass({
      fr: "Aucun numéro de version, ni dans les en-têtes ni dans la page d'erreur du serveur.",
      en: "No version number, in the headers or on the server's error page.",
    });
  },
};
