import { pageMetas } from "../facts/metas.ts";
import type { Evidence } from "../../evidence/evidence.ts";
import { findHead, urlOf } from "../../evidence/accessors.ts";
import {
  addLine,
  type Fix,
  type Judgement,
  type Rule,
  cut,
  fail,
  followFix,
  notApplicable,
  pageHtml,
  partial,
  pass,
  verbatim,
  wcag,
} from "../rule.ts";
import { UNREAD_HTML } from "./html-document.ts";

const MIN_MAXIMUM_SCALE = 2;

function joinAtEquals(content: string): string {
  const [first = "", ...rest] = content.split("=");
  const last = rest.pop();
  if (last === undefined) return first;
  return [first.trimEnd(), ...rest.map((part) => part.trim()), last.trimStart()].join("=");
}

/** Parses a viewport (CSS Viewport, 4). Names and values are in lower case. */
function readViewport(content: string): Map<string, string> {
  const pairs = joinAtEquals(content.toLowerCase())
    .split(/[,;\s]+/)
    .map((pair): [string, string] => {
      const [name = "", value = ""] = pair.split("=");
      return [name, value];
    });
  return new Map(pairs);
}

/** Without a width, an initial scale of 1 has the same effect (CSS Viewport, 3). */
function fitsDevice(viewport: ReadonlyMap<string, string>): boolean {
  const width = viewport.get("width");
  if (width !== undefined) return width === "device-width";
  return Number.parseFloat(viewport.get("initial-scale") ?? "") >= 1;
}

const SCALE_WORDS = new Map([
  ["yes", 1],
  ["device-width", 10],
  ["device-height", 10],
]);

/** An unknown word counts as 0, and a negative number counts as absent (CSS Device Adaptation, 10). */
function readScale(value: string): number | undefined {
  const scale = SCALE_WORDS.get(value) ?? (Number.parseFloat(value) || 0);
  return scale < 0 ? undefined : scale;
}

/** True if the value allows zooming: `yes`, a size of the device, a number of at least 1, or one of at most -1. */
function isScalable(value: string): boolean {
  return SCALE_WORDS.has(value) || Math.abs(Number.parseFloat(value)) >= 1;
}

function disablesZoom(viewport: ReadonlyMap<string, string>): boolean {
  const scalable = viewport.get("user-scalable");
  const maximum = viewport.get("maximum-scale");
  const scale = maximum ? readScale(maximum) : undefined;
  return (
    (Boolean(scalable) && !isScalable(scalable ?? "")) ||
    (scale !== undefined && scale < MIN_MAXIMUM_SCALE)
  );
}

const PHONE_WARNING = {
  fr: "Regardez ensuite la page sur un téléphone : si sa mise en page est à largeur fixe, adaptez-la d'abord, car cette balise la ferait déborder de l'écran.",
  en: "Then try the page on a phone: if its layout has a fixed width, adapt it first, because this tag would make it wider than the screen.",
};

/** Keeps properties that do not affect width or zoom, such as `viewport-fit=cover`. */
function fixViewport(pairs: ReadonlyMap<string, string>): Fix {
  const kept = ["viewport-fit", "interactive-widget"].flatMap((name) => {
    const value = pairs.get(name) ?? "";
    return /^[a-z-]{1,40}$/.test(value) ? [`${name}=${value}`] : [];
  });
  const content = ["width=device-width", "initial-scale=1", ...kept].join(", ");
  const line = `<meta name="viewport" content="${content}">`;
  return addLine(
    { fr: "Utilisez cette balise meta viewport.", en: "Use this viewport meta tag." },
    line,
    {
      fr: "Dans la balise meta viewport, n'écrivez que width=device-width et initial-scale=1.",
      en: "In the viewport meta tag, write only width=device-width and initial-scale=1.",
    },
  );
}

/** Flutter, impress.js and A-Frame make a viewport meta tag when they start. */
const WRITERS =
  /\/(?:(?:flutter|flutter_bootstrap|main\.dart)\.js|impress(?:\.min)?\.js|aframe(?:-[\w.]{1,20})?(?:\.min)?\.js)$/;

function isWrittenByScript(evidence: Evidence): boolean {
  const html = evidence.page.body?.html;
  const scripts = html?.resources.filter(({ tag }) => tag === "script") ?? [];
  return (
    html?.writesViewport === true ||
    scripts.some(({ url }) => WRITERS.test(urlOf(url).pathname)) ||
    evidence.assets.some(({ file }) => file?.writesViewport)
  );
}

/** A tag that a script writes replaces or adds to the page's own. */
const WRITTEN = notApplicable({
  fr: "Un script de la page écrit la balise meta viewport.",
  en: "A script of the page writes the viewport meta tag.",
});

function judgeViewport(evidence: Evidence): Judgement {
  const last = pageMetas(evidence, "viewport").at(-1);
  if (!findHead(evidence)) return UNREAD_HTML;
  if (!last)
    return fail({
      fr: "La page n'a pas de balise meta viewport.",
      en: "The page has no viewport meta tag.",
    });
  const pairs = readViewport(last.content);
  const shown = `<meta name="viewport" content="${cut(last.content, 120)}">`;
  if (!fitsDevice(pairs))
    return fail(
      {
        fr: `${shown} (ligne ${last.line}) ne suit pas la largeur de l'écran.`,
        en: `${shown} (line ${last.line}) does not follow the width of the screen.`,
      },
      followFix(fixViewport(pairs), PHONE_WARNING),
    );
  return disablesZoom(pairs)
    ? partial(
        "no_zoom",
        {
          fr: `${shown} (ligne ${last.line}) empêche d'agrandir la page.`,
          en: `${shown} (line ${last.line}) prevents zooming.`,
        },
        fixViewport(pairs),
      )
    : pass(verbatim(shown));
}

export const viewport: Rule = {
  id: "html.viewport",
  title: { fr: "Affichage sur téléphone", en: "Display on phones" },
  measures: {
    fr: "La balise meta viewport suit la largeur de l'écran (width=device-width) et permet d'agrandir la page au moins deux fois. Sans agrandissement, la règle rapporte la moitié des points. Si un script de la page écrit cette balise, comme celui de Flutter, la règle est sans objet.",
    en: "The viewport meta tag follows the width of the screen (width=device-width) and lets visitors zoom in at least twofold. Without zoom, the rule earns half the points. If a script of the page writes this tag, as Flutter's does, the rule does not apply.",
  },
  why: {
    fr: "Sur un téléphone, la page est minuscule, ou les malvoyants ne peuvent pas l'agrandir.",
    en: "On a phone, the page looks tiny, or people with low vision cannot enlarge it.",
  },
  fix: followFix(fixViewport(new Map()), PHONE_WARNING),
  standard: wcag("1.4.4", "resize-text"),
  parents: pageHtml,
  judge(evidence) {
    const judgement = judgeViewport(evidence);
    return judgement.status !== "unknown" &&
      judgement.status !== "pass" &&
      isWrittenByScript(evidence)
      ? WRITTEN
      : judgement;
  },
};
