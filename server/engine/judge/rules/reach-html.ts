import type { Text } from "../../../../shared/language.ts";
import { describeCount } from "../../../../shared/report/words.ts";
import { isNosniff } from "../facts/mistyped.ts";
import type { Body, Evidence } from "../../evidence/evidence.ts";
import type { Html } from "../../evidence/html.ts";
import { findEncoding, readContentType } from "../facts/content-type.ts";
import {
  findWholeHtml,
  getAnswer,
  listMembers,
  pageHeader,
  urlOf,
} from "../../evidence/accessors.ts";
import { HTML_TYPES, XHTML_TYPE } from "../../../base/syntax/media-type.ts";
import { isAside } from "../facts/script-hosts.ts";
import { isWaiting } from "../facts/waiting-text.ts";
import {
  addLine,
  type Judgement,
  type Rule,
  cut,
  fail,
  partial,
  pass,
  unknown,
  rfc,
  writeText,
} from "../rule.ts";

/** If the namespace is missing, browsers show an XML tree instead of the page. */
const NAMESPACE_FIX = {
  fr: 'Ajoutez xmlns="http://www.w3.org/1999/xhtml" à <html>, ou envoyez la page avec le type text/html.',
  en: 'Add xmlns="http://www.w3.org/1999/xhtml" to <html>, or send the page as text/html.',
};
const HTML_TYPE_LINE = "Content-Type: text/html; charset=utf-8";
const TYPE_FIX = addLine(
  {
    fr: "Envoyez la page avec cet en-tête Content-Type.",
    en: "Send the page with this Content-Type header.",
  },
  HTML_TYPE_LINE,
);
const NOT_HTML_FIX = {
  fr: "À cette URL, servez une page HTML qui commence par <!doctype html>.",
  en: "At this URL, serve an HTML page that starts with <!doctype html>.",
};

const isNothingRead = ({ state, html }: Body): boolean => state === "late" && html === null;

function judgeBytes(body: Body): Judgement | undefined {
  if (isNothingRead(body))
    return unknown({
      fr: "La page n'est pas arrivée avant la fin de la vérification.",
      en: "The page did not arrive before the check ended.",
    });
  if (body.state === "unsupported") {
    const encoding = cut(body.encoding ?? "", 40);
    return unknown({
      fr: `Le Content-Encoding de la réponse est ${encoding}, que la vérification n'accepte pas et ne sait pas lire.`,
      en: `The response's Content-Encoding is ${encoding}, which the check does not accept and cannot read.`,
    });
  }
  if (body.state === "cut_short" && body.oddities.includes("members"))
    return fail(
      {
        fr: `La réponse compressée a plusieurs membres gzip. Les navigateurs ne lisent que le premier : la page est tronquée après ${describeCount(body.decodedBytes, "fr")} octets.`,
        en: `The compressed response has several gzip members. Browsers only read the first one: the page breaks off after ${describeCount(body.decodedBytes, "en")} bytes.`,
      },
      {
        fr: "Compressez la page entière en une seule passe, en un seul flux gzip.",
        en: "Compress the whole page in one pass, into a single gzip stream.",
      },
    );
  if (body.state === "cut_short")
    return fail(
      {
        fr: `La réponse est tronquée après ${describeCount(body.wireBytes, "fr")} octets.`,
        en: `The response is cut off after ${describeCount(body.wireBytes, "en")} bytes.`,
      },
      {
        fr: "Envoyez la réponse complète : vérifiez Content-Length, et les délais d'expiration du serveur et du proxy.",
        en: "Send the whole response: check Content-Length, and the timeouts of the server and the proxy.",
      },
    );
  if (body.state === "undecodable")
    return fail(
      {
        fr: `La réponse n'a pas le codage que son en-tête Content-Encoding indique (${cut(body.encoding ?? "", 40)}).`,
        en: `The response is not encoded as its Content-Encoding header states (${cut(body.encoding ?? "", 40)}).`,
      },
      {
        fr: "Envoyez la réponse dans le codage indiqué par Content-Encoding, ou retirez cet en-tête.",
        en: "Send the response in the encoding that Content-Encoding states, or remove that header.",
      },
    );
  return undefined;
}

const GZIP_FIX = {
  fr: "Ces octets sont du gzip. Envoyez l'en-tête Content-Encoding: gzip, sans autre valeur, ou déployez le fichier décompressé.",
  en: "These bytes are gzip. Send the header Content-Encoding: gzip, with no other value, or deploy the uncompressed file.",
};

function judgeGzip({ isGzip, encoding, decodedBytes }: Body): Judgement | undefined {
  if (!isGzip) return undefined;
  const size = writeText((language) => describeCount(decodedBytes, language));
  if (encoding === null)
    return fail(
      {
        fr: `La réponse est compressée (gzip), et les navigateurs ne la décompressent pas : ${size.fr} octets illisibles.`,
        en: `The response is compressed (gzip), and browsers do not uncompress it: ${size.en} unreadable bytes.`,
      },
      GZIP_FIX,
    );
  return fail(
    {
      fr: `La réponse est compressée une fois de plus que Content-Encoding ne l'indique (${cut(encoding, 40)}).`,
      en: `The response is compressed once more than Content-Encoding states (${cut(encoding, 40)}).`,
    },
    {
      fr: "Compressez la page une seule fois : déployez le fichier décompressé, ou désactivez la compression du serveur ou du proxy.",
      en: "Compress the page only once: deploy the uncompressed file, or turn off compression in the server or proxy.",
    },
  );
}

/** A page with no more controls than this may show only a cookie banner, which no script handles. */
const MAX_BANNER_CONTROLS = 4;
/** A page that only says “Loading…” may show an image that turns. */
const MAX_SPINNERS = 1;
/** If a page without text has more elements, a style sheet may draw something with them. */
const MAX_EMPTY_ELEMENTS = 10;

function countFillers({ scriptCount, resources, inlines }: Html): number {
  const aside = resources.filter(({ tag, url }) => tag === "script" && isAside(urlOf(url)));
  const snippets = inlines.filter(({ tag, isTracker }) => tag === "script" && isTracker);
  return scriptCount - aside.length - snippets.length;
}

function judgeWaiting({ text }: Html): Judgement {
  const shown = cut(text, 120);
  return fail(
    {
      fr: `La page dit seulement « ${shown} », et aucun script ne la remplit.`,
      en: `The page only says “${shown}”, and no script fills it.`,
    },
    {
      fr: "Déployez le dossier que produit la compilation (souvent dist ou build), avec le script qui remplit la page.",
      en: "Deploy the folder that the build produces (often dist or build), with the script that fills the page.",
    },
  );
}

/** Detects a page that shows nothing, such as a source index.html to which no build added the script. */
function judgeBlank(evidence: Evidence): Judgement | undefined {
  const whole = findWholeHtml(evidence);
  if (!whole) return undefined;
  const { textLength, imageCount, shownCount, elementCount, emptyRootId } = whole;
  const waits = textLength > 0 && isWaiting(whole);
  const isShown =
    shownCount > (waits ? MAX_BANNER_CONTROLS : 0) ||
    imageCount > (waits ? MAX_SPINNERS : 0) ||
    countFillers(whole) > 0;
  const framed = whole.resources.some(({ kind }) => kind === "frame" || kind === "media");
  if ((textLength > 0 && !waits) || isShown || framed) return undefined;
  if (emptyRootId === null && !waits && elementCount > MAX_EMPTY_ELEMENTS) return undefined;
  if (waits) return judgeWaiting(whole);
  if (emptyRootId === null)
    return fail(
      {
        fr: "La page n'affiche rien : ni texte, ni image, ni iframe, ni dessin, et aucun script ne la remplit.",
        en: "The page shows nothing: it has no text, image, frame or drawing, and no script fills it.",
      },
      {
        fr: "Cherchez pourquoi le modèle ou la compilation n'a rien produit, puis déployez la page complète.",
        en: "Find out why the template or the build produced nothing, then deploy the whole page.",
      },
    );
  const id = cut(emptyRootId, 40);
  return fail(
    {
      fr: `La page n'a ni texte ni image, et aucun script ne remplit son élément vide #${id}.`,
      en: `The page has no text and no image, and no script fills its empty element #${id}.`,
    },
    {
      fr: "Déployez le dossier que produit la compilation (souvent dist ou build), pas les sources.",
      en: "Deploy the folder that the build produces (often dist or build), not the sources.",
    },
  );
}

/** Implements MIME Sniffing, 7.1. */
function isSniffedAsHtml(evidence: Evidence, body: Body): boolean {
  const isUntyped = pageHeader(evidence, "content-type").length === 0;
  const [first = ""] = listMembers(pageHeader(evidence, "x-content-type-options"));
  return isUntyped && !isNosniff(first) && body.looksLikeHtml;
}

/** Browsers save the page as a file for any type except `inline` (RFC 6266, 4.2). */
function judgeDownload(evidence: Evidence): Judgement | undefined {
  const types = pageHeader(evidence, "content-disposition");
  const type = types.find((one) => /^[^\s=]+$/.test(one.trim()) && !/^inline$/i.test(one.trim()));
  if (type === undefined) return undefined;
  return fail(
    {
      fr: `Les navigateurs téléchargent la page au lieu de l'afficher (Content-Disposition: ${cut(type, 40)}).`,
      en: `Browsers download the page instead of showing it (Content-Disposition: ${cut(type, 40)}).`,
    },
    {
      fr: "Retirez Content-Disposition de cette réponse, ou utilisez la valeur inline. Dans un bucket (S3, GCS, Azure), cet en-tête se trouve dans les métadonnées du fichier.",
      en: "Remove Content-Disposition from this response, or set it to inline. In a bucket (S3, GCS, Azure), this header is in the file's metadata.",
    },
  );
}

/** A page that only redirects, as static sites do. The rule is unknown, because visitors get the target. */
function judgeStep(evidence: Evidence): Judgement | undefined {
  const { leadsTo } = evidence.page;
  if (leadsTo === null) return undefined;
  const url = cut(leadsTo, 200);
  return unknown(
    {
      fr: `Cette page ne fait que renvoyer vers une autre, par un rafraîchissement (Refresh) ou un script : ${url}.`,
      en: `This page only redirects to another one, through a Refresh or a script: ${url}.`,
    },
    { fr: `Vérifiez plutôt cette URL : ${url}.`, en: `Check this URL instead: ${url}.` },
  );
}

/** Content-Type overrides a meta tag. */
function describeGarbling(header: string | null, label: string | undefined): Text {
  if (header === null && label === undefined)
    return {
      fr: "La page ne déclare aucun encodage, et certains de ses octets ne sont pas de l'UTF-8 valide.",
      en: "The page declares no character encoding, and some of its bytes are not valid UTF-8.",
    };
  const stated = cut(header ?? label ?? "", 40);
  const meta = header !== null && label !== undefined ? findEncoding(label) : undefined;
  if (header === null || meta === undefined || meta === findEncoding(header))
    return {
      fr: `Des octets de la page ne sont pas valides dans l'encodage qu'elle déclare (${stated}).`,
      en: `Some of the page's bytes are not valid in the character encoding that it declares (${stated}).`,
    };
  return {
    fr: `Content-Type déclare ${stated}, et l'emporte sur <meta charset="${cut(label ?? "", 40)}">. Des octets de la page ne sont pas valides en ${stated}.`,
    en: `Content-Type declares ${stated}, which overrides <meta charset="${cut(label ?? "", 40)}">. Some of the page's bytes are not valid in ${stated}.`,
  };
}

export const html: Rule = {
  id: "reach.html",
  title: { fr: "Page HTML", en: "HTML page" },
  measures: {
    fr: "La réponse est du HTML décodable, complet ou terminé par </body> ou </html>, qui affiche quelque chose ou qu'un script remplit. Content-Type indique du HTML, et Content-Disposition n'en fait pas un fichier à télécharger.",
    en: "The response is decodable HTML, complete or ended by </body> or </html>, that shows something or that a script fills. Content-Type says that it is HTML, and Content-Disposition does not make it a file to download.",
  },
  why: {
    fr: "Le navigateur n'a pas de page à afficher, ou affiche un texte illisible.",
    en: "The browser has no page to show, or shows garbled text.",
  },
  fix: {
    fr: "Envoyez la page HTML complète, avec le type text/html dans Content-Type.",
    en: "Send the complete HTML page, with the type text/html in Content-Type.",
  },
  standard: rfc(9110, "8.3"),
  capReason: {
    fr: "La réponse n'est pas une page HTML complète.",
    en: "The response is not a complete HTML page.",
  },
  parents: () => ["reach.status"],
  judge(evidence) {
    const { body } = evidence.page;
    const trouble = body ? judgeBytes(body) : undefined;
    if (trouble) return trouble;
    if (!body || body.decodedBytes === 0)
      return fail({ fr: "La réponse est vide.", en: "The response is empty." });
    const download = judgeDownload(evidence) ?? judgeGzip(body);
    if (download) return download;
    const { essence, charset } = readContentType(getAnswer(evidence).headers);
    const named = cut(essence || pageHeader(evidence, "content-type").join(", "), 80);
    const type = named === "" ? { fr: "absent", en: "missing" } : { fr: named, en: named };
    const start = cut(body.start, 120);
    const found = {
      fr: `Content-Type : ${type.fr} ; ${describeCount(body.decodedBytes, "fr")} octets ; début : « ${start} ».`,
      en: `Content-Type: ${type.en}; ${describeCount(body.decodedBytes, "en")} bytes; starts with “${start}”.`,
    };
    const isUntyped = isSniffedAsHtml(evidence, body);
    if (!isUntyped && !HTML_TYPES.includes(essence))
      return fail(found, body.looksLikeHtml ? TYPE_FIX : undefined);
    if (!body.looksLikeHtml) return fail(found, NOT_HTML_FIX);
    if (essence === XHTML_TYPE && body.html?.isXhtml === false) return fail(found, NAMESPACE_FIX);
    const step = judgeStep(evidence);
    if (step) return step;
    const blank = judgeBlank(evidence);
    if (blank) return blank;
    if (isUntyped) return partial("untyped", found, TYPE_FIX);
    if (charset !== null && findEncoding(charset) === undefined)
      return partial(
        "charset",
        {
          fr: `Content-Type indique un encodage inconnu : ${cut(charset, 40)}.`,
          en: `Content-Type states an unknown character encoding: ${cut(charset, 40)}.`,
        },
        TYPE_FIX,
      );
    if (body.charsetError)
      return partial(
        "charset",
        describeGarbling(charset, body.html?.charset?.label),
        addLine(
          {
            fr: "Enregistrez la page en UTF-8, et déclarez cet encodage dans Content-Type. Sinon, déclarez-y l'encodage que la page a déjà.",
            en: "Save the page in UTF-8, and declare this encoding in Content-Type. Otherwise, declare there the encoding that the page already has.",
          },
          HTML_TYPE_LINE,
        ),
      );
    return pass(found);
  },
};
