import { describeQuantity, type Noun } from "../../../../shared/report/words.ts";
import type { Evidence } from "../../evidence/evidence.ts";
import { findWholeHtml, urlOf } from "../../evidence/accessors.ts";
import { freshSeconds } from "../facts/freshness.ts";
import { isMarkedByGate } from "../facts/gatekeeper.ts";
import { isRateLimit } from "../facts/limits.ts";
import {
  type Judgement,
  type Rule,
  cut,
  fail,
  notApplicable,
  pageHtml,
  partial,
  pass,
  rfc,
  unknown,
} from "../rule.ts";
import { UNREAD_HTML } from "./html-document.ts";

const HOUR_SECONDS = 3600;
const HOURS: Noun = { fr: ["heure", "heures"], en: ["hour", "hours"] };

type MissingFile = NonNullable<Evidence["missingFile"]>;

function judgeAnswer(evidence: Evidence, file: MissingFile): Judgement {
  const { url, end, status, headers, isHtml } = file;
  const path = cut(urlOf(url).pathname, 100);
  if (status === null)
    return unknown({
      fr: `La requête vers ${path} est restée sans réponse.`,
      en: `The request for ${path} got no response.`,
    });
  const target = end === null ? undefined : cut(end, 150);
  const answered = target
    ? {
        fr: `${path}, qui n'existe pas, redirige vers ${target}, qui répond ${status}`,
        en: `${path}, which does not exist, redirects to ${target}, which responds with ${status}`,
      }
    : {
        fr: `${path}, qui n'existe pas, répond ${status}`,
        en: `${path}, which does not exist, responds with ${status}`,
      };
  const plain = { fr: `${answered.fr}.`, en: `${answered.en}.` };
  if (isMarkedByGate(headers) || isRateLimit(evidence, { url, status })) return unknown(plain);
  if (status < 200 || status > 299 || !isHtml) return pass(plain);
  const seconds = freshSeconds(headers, evidence.checkedAt);
  if (seconds <= HOUR_SECONDS)
    return partial("brief", {
      fr: `${answered.fr}, par une page HTML.`,
      en: `${answered.en} and an HTML page.`,
    });
  const hours = Math.floor(seconds / HOUR_SECONDS);
  return fail({
    fr: `${answered.fr}, par une page HTML mise en cache ${describeQuantity(hours, HOURS, "fr")}.`,
    en: `${answered.en} and an HTML page, cached for ${describeQuantity(hours, HOURS, "en")}.`,
  });
}

export const missingFile: Rule = {
  id: "asset.fallback",
  title: { fr: "Réponse à un fichier absent", en: "Response to a missing file" },
  measures: {
    fr: "Un nom inventé, dans le dossier d'un fichier versionné de la page et avec la même extension, ne répond pas 2xx par une page HTML. Cette page coûte 1 point, ou 2 si elle est mise en cache plus d'une heure.",
    en: "A made-up name, beside a versioned file of the page and with its ending, does not respond with 2xx and an HTML page. Such a page costs 1 point, or 2 if it is cached for more than an hour.",
  },
  why: {
    fr: "Après un déploiement, un onglet ouvert récupère des fichiers de la version précédente. Il reçoit une page au lieu d'un script, et s'arrête sans erreur claire. Un cache peut aussi conserver cette page sous le nom du fichier.",
    en: "After a deployment, an open tab requests files of the previous build. It gets a page in place of a script, and stops without a clear error. A cache may also keep this page under the file's name.",
  },
  fix: {
    fr: "Répondez 404 à un fichier absent : ne réécrivez vers index.html que les routes de l'application, pas le dossier de ses fichiers (dans nginx, try_files $uri =404 pour ce dossier). N'envoyez un Cache-Control long qu'avec les fichiers qui existent.",
    en: "Respond with 404 to a missing file: rewrite only the app's routes to index.html, not the folder of its files (in nginx, try_files $uri =404 for that folder). Send a long Cache-Control only with files that exist.",
  },
  standard: rfc(9110, "15.5.5"),
  parents: pageHtml,
  judge(evidence) {
    if (evidence.missingFile) return judgeAnswer(evidence, evidence.missingFile);
    if (!findWholeHtml(evidence)) return UNREAD_HTML;
    return notApplicable({
      fr: "Aucun des fichiers testés n'est versionné.",
      en: "None of the files tested is versioned.",
    });
  },
};
