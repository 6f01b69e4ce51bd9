import type { Body, Leak } from "../../../../evidence/body.ts";
import type { Evidence } from "../../../../evidence/evidence.ts";
import { findEncoding, readContentType } from "../content-type.ts";
import { GATEKEEPER_STATUSES, judgeUnread } from "../gatekeeper.ts";
import { findWholeHtml, getAnswer, urlOf } from "../page.ts";
import {
  type Judgement,
  type Rule,
  cut,
  fail,
  ownAnswer,
  partial,
  pass,
  text,
  unknown,
} from "../../../rule.ts";
import { isUrl } from "../../../../../shared/url.ts";

const HTML_TYPES = ["text/html", "application/xhtml+xml"];
const NOT_HTML_FIX = text(
  "Envoyez à cette adresse une page HTML, qui commence par : <!doctype html>",
  "Send an HTML page at this address, starting with: <!doctype html>",
);

function judgeBytes(body: Body): Judgement | undefined {
  if (body.state === "unsupported") {
    const encoding = cut(body.encoding ?? "", 40);
    return unknown(
      text(
        `Le corps est encodé en ${encoding}, que la vérification n'a pas demandé et ne sait pas lire.`,
        `The body is encoded as ${encoding}, which the check did not ask for and cannot read.`,
      ),
    );
  }
  if (body.state === "cut_short")
    return fail(
      text(
        `Le corps s'arrête avant sa fin, après ${body.wireBytes} octets.`,
        `The body was cut short, after ${body.wireBytes} bytes.`,
      ),
      text(
        "Envoyez la réponse jusqu'au bout : vérifiez Content-Length, et les délais du serveur et du proxy.",
        "Send the whole response: check Content-Length, and the time-outs of the server and the proxy.",
      ),
    );
  if (body.state === "undecodable")
    return fail(
      text(
        `Le corps n'est pas lisible dans le codage qu'il annonce (${cut(body.encoding ?? "", 40)}).`,
        `The body cannot be read in the encoding that it declares (${cut(body.encoding ?? "", 40)}).`,
      ),
      text(
        "Envoyez le corps dans le codage que Content-Encoding annonce, ou retirez cet en-tête.",
        "Send the body in the encoding that Content-Encoding declares, or remove that header.",
      ),
    );
  return undefined;
}

/** What a project's index.html is before the build has put its script in. */
function judgeBlank(evidence: Evidence): Judgement | undefined {
  const whole = findWholeHtml(evidence);
  if (!whole || whole.emptyRootId === null) return undefined;
  const { textLength, imageCount, scriptCount, emptyRootId } = whole;
  if (textLength + imageCount + scriptCount > 0) return undefined;
  const id = cut(emptyRootId, 40);
  return fail(
    text(
      `La page n'a ni texte ni image, et aucun script ne remplit son élément ${id}, qui est vide.`,
      `The page has no text and no image, and no script fills its element ${id}, which is empty.`,
    ),
    text(
      "Déployez le dossier que produit la compilation (souvent dist ou build), pas les sources.",
      "Deploy the folder that the build produces (often dist or build), not the sources.",
    ),
  );
}

export const html: Rule = {
  id: "reach.html",
  title: text("Page HTML complète", "Complete HTML page"),
  measures: text(
    "Le corps est du HTML entier et décodable, qui montre quelque chose ou qu'un script remplit, et Content-Type le dit.",
    "The body is complete, decodable HTML that shows something or that a script fills, and Content-Type says so.",
  ),
  matters: text(
    "Le navigateur n'a pas de page à afficher, ou l'affiche mal.",
    "The browser has no page to show, or shows it garbled.",
  ),
  fix: text(
    "Envoyez la page entière avec : Content-Type: text/html; charset=utf-8",
    "Send the whole page with: Content-Type: text/html; charset=utf-8",
  ),
  standard: { name: "RFC 9110, 8.3", url: "https://www.rfc-editor.org/rfc/rfc9110#section-8.3" },
  capReason: text(
    "La réponse n'est pas une page HTML entière.",
    "The response is not a complete HTML page.",
  ),
  parents: () => ["reach.status"],
  judge(evidence) {
    const { body } = evidence.page;
    const trouble = body ? judgeBytes(body) : undefined;
    if (trouble) return trouble;
    if (!body || body.decodedBytes === 0)
      return fail(text("Le corps de la réponse est vide.", "The response's body is empty."));
    const { essence, charset } = readContentType(getAnswer(evidence).headers);
    const type =
      essence === "" ? text("absent", "missing") : text(cut(essence, 80), cut(essence, 80));
    const start = cut(body.start, 120);
    const seen = text(
      `Content-Type : ${type.fr} ; ${body.decodedBytes} octets ; début : « ${start} ».`,
      `Content-Type: ${type.en}; ${body.decodedBytes} bytes; starts with “${start}”.`,
    );
    if (!HTML_TYPES.includes(essence)) return fail(seen);
    if (!body.looksLikeHtml) return fail(seen, NOT_HTML_FIX);
    const blank = judgeBlank(evidence);
    if (blank) return blank;
    if (charset !== null && findEncoding(charset) === undefined)
      return partial(
        "charset",
        text(
          `Content-Type nomme un jeu de caractères inconnu : ${cut(charset, 40)}.`,
          `Content-Type names an unknown character set: ${cut(charset, 40)}.`,
        ),
      );
    if (body.charsetError)
      return partial(
        "charset",
        text(
          "Les octets de la page ne sont pas valides dans le jeu de caractères qu'elle déclare.",
          "The page's bytes are not valid in the character set that it declares.",
        ),
        text(
          "Enregistrez la page en UTF-8, et envoyez : Content-Type: text/html; charset=utf-8",
          "Save the page in UTF-8, and send: Content-Type: text/html; charset=utf-8",
        ),
      );
    return pass(seen);
  },
};

function isRedirect(statusCode: number): boolean {
  return statusCode >= 300 && statusCode < 400;
}

function judgeNotFound({ notFound }: Evidence): Judgement {
  const { url, status, location } = notFound;
  const path = cut(urlOf(url).pathname, 100);
  if (status === null)
    return unknown(
      text(
        `La requête vers ${path} n'a pas eu de réponse.`,
        `The request for ${path} got no answer.`,
      ),
    );
  const seen = text(
    `${path}, qui n'existe pas, répond ${status}.`,
    `${path}, which does not exist, answers ${status}.`,
  );
  if (GATEKEEPER_STATUSES.includes(status)) return unknown(seen);
  if (status >= 400 && status < 500) return pass(seen);
  if (!isRedirect(status)) return fail(seen);
  const to = location ?? "";
  const target = isUrl(to, url) ? new URL(to, url) : undefined;
  const led = text(
    `${path}, qui n'existe pas, est redirigé (${status}) vers ${cut(to, 150)}.`,
    `${path}, which does not exist, is redirected (${status}) to ${cut(to, 150)}.`,
  );
  if (target?.pathname.includes(urlOf(url).pathname.replace(/\/$/, "")))
    return unknown(
      led,
      text(
        "Vérifiez l'adresse finale du site, celle qui ne redirige pas.",
        "Check the site's final address, the one that does not redirect.",
      ),
    );
  return partial("redirect", led);
}

export const softNotFound: Rule = {
  id: "reach.soft404",
  title: text("Vraie page 404", "Real 404 page"),
  measures: text(
    "Un chemin pris au hasard répond 404, 410 ou un autre refus (4xx) ; une redirection vaut la moitié.",
    "A random path answers 404, 410 or another refusal (4xx); a redirect is worth half.",
  ),
  matters: text(
    "Ni les moteurs de recherche ni vous ne pouvez distinguer un lien mort d'une vraie page ou d'une panne.",
    "Neither search engines nor you can tell a dead link from a real page or an outage.",
  ),
  fix: text(
    "Répondez 404 à tout chemin inconnu, avec une page d'erreur à vous (nginx : error_page 404 /404.html;) ; si l'application a ses propres routes, ne réécrivez que celles-là vers index.html.",
    "Answer 404 for every unknown path, with an error page of your own (nginx: error_page 404 /404.html;); where the app has routes of its own, rewrite those alone to index.html.",
  ),
  standard: {
    name: "RFC 9110, 15.5.5",
    url: "https://www.rfc-editor.org/rfc/rfc9110#section-15.5.5",
  },
  parents: ownAnswer,
  judge: judgeNotFound,
};

function describeLeak(isOnPage: boolean, { signature, offset }: Leak): Judgement {
  const where = isOnPage
    ? text("dans la page", "on the page")
    : text("dans la réponse à un chemin inconnu", "in the answer to an unknown path");
  const name = cut(signature, 120);
  return fail(
    text(
      `Reconnu ${where.fr} : ${name} (caractère ${offset}).`,
      `Recognised ${where.en}: ${name} (character ${offset}).`,
    ),
  );
}

export const leak: Rule = {
  id: "reach.leak",
  title: text("Ni page par défaut, ni trace de débogage", "No default page, no debug trace"),
  measures: text(
    "La page et la page 404 ne montrent ni page par défaut du serveur, ni liste de fichiers, ni trace d'erreur, ni outil de développement.",
    "The page and the 404 page show no server default page, directory index, stack trace or development overlay.",
  ),
  matters: text(
    "Le site n'est pas vraiment déployé, ou il montre son code et ses chemins à tous.",
    "The site is not really deployed, or shows its code and paths to everyone.",
  ),
  fix: text(
    "Déployez la version de production et coupez le mode de débogage (NODE_ENV=production, APP_DEBUG=false, DEBUG=False).",
    "Deploy the production build and turn debug mode off (NODE_ENV=production, APP_DEBUG=false, DEBUG=False).",
  ),
  standard: { name: "CWE-209, CWE-548", url: "https://cwe.mitre.org/data/definitions/209.html" },
  capReason: text(
    "Le site montre une page par défaut ou ses entrailles de débogage.",
    "The site shows a default page or its debug internals.",
  ),
  parents: ({ notFound }) => (notFound.leak ? ["reach.dns"] : ["reach.connect", "redir.chain"]),
  judge(evidence) {
    const unread = judgeUnread(evidence);
    const { body } = evidence.page;
    const own = unread ? null : (body?.leak ?? null);
    const found = own ?? evidence.notFound.leak;
    if (found) return describeLeak(own !== null, found);
    if (unread) return unread;
    if (body?.state === "unsupported" || body?.state === "undecodable")
      return unknown(text("La page n'a pas pu être lue.", "The page could not be read."));
    if (evidence.notFound.status === null)
      return unknown(
        text(
          "Rien de tel dans la page, mais la requête vers un chemin inconnu n'a pas eu de réponse.",
          "Nothing of the kind on the page, but the request for an unknown path got no answer.",
        ),
      );
    return pass(
      text(
        "Rien de tel, ni dans la page ni dans la réponse à un chemin inconnu.",
        "Nothing of the kind, either on the page or in the answer to an unknown path.",
      ),
    );
  },
};
