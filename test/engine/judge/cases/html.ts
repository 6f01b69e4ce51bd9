import { pageHtml } from "../evidence-fixtures.ts";
import { all, body, cutHead, cutPage, header, html, meta } from "./page-edits.ts";
import { cases, each, type Edit } from "./rule-case.ts";

const doctype = (declaration: string | null): Edit => html({ doctype: declaration });

const loseHtml = body({ html: null });
const XML = all(header("content-type", "application/xhtml+xml"), html({ isXhtml: true }));
const XML_DECLARATION = body({ start: '<?xml version="1.0" encoding="UTF-8"?><!DOCTYPE html>' });
const declareCharset = (type: string, label: string | null, offset = 40): Edit =>
  all(header("content-type", type), html({ charset: label === null ? null : { label, offset } }));

const WHOLE_HEAD = { "in a head that was read whole, of a page that was not": cutPage };
const MISSING = {
  "missing in a head that was read whole": all(
    cutPage,
    html({ metas: [], titleCount: 0, title: null }),
  ),
};

function withoutAlt(count: number, of: number): Edit {
  const tags = [{ tag: '<img src="a.png">', line: 30 }];
  return html({ imageCount: of, imagesWithoutAltCount: count, imagesWithoutAlt: tags });
}

const addScript =
  (path: string): Edit =>
  (e) => {
    const [first] = pageHtml(e).resources;
    if (first) pageHtml(e).resources.push({ ...first, url: `https://www.example.com${path}` });
  };

export const HTML_CASES = cases({
  "html.doctype": {
    fail: {
      "HTML 3.2": doctype('DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 3.2 Final//EN"'),
      "transitional without a system identifier": doctype(
        'DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 4.01 Transitional//EN"',
      ),
      "another name": doctype("doctype htm"),
      "an attribute, as if it were a tag": doctype('doctype html lang="en"'),
      "an identifier without quotes": doctype("doctype html public foo"),
      "HTML 4.0 Transitional, whatever its system identifier": doctype(
        'DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 4.0 Transitional//EN" "http://www.w3.org/TR/REC-html40/loose.dtd"',
      ),
      IETF: doctype('DOCTYPE HTML PUBLIC "-//IETF//DTD HTML 2.0//EN"'),
      "a null in its name": doctype("doctype ht\ufffdml"),
      "a word between its identifiers": doctype(
        'DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" x',
      ),
      "its keyword joined to its name": doctype('DOCTYPE htmlPUBLIC "x"'),
      "a no-break space after its name": doctype("doctype html\u00a0"),
      "transitional, over two lines": doctype(
        'DOCTYPE HTML\r\n\tPUBLIC\n"-//w3c//dtd html 4.01 transitional//en"\n',
      ),
    },
    unknown: { "no HTML read": loseHtml },
    pass: {
      "in capitals": doctype("DOCTYPE HTML"),
      ...each(["\t", "  ", "\n"], (space) => [
        `transitional, with ${JSON.stringify(space)} in its identifier`,
        doctype(`DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 4.01${space}Transitional//EN"`),
      ]),
      "transitional, with a letter that only looks like k": doctype(
        'DOCTYPE HTML PUBLIC "-//as//dtd html 3.0 aswedit + e\u212a"',
      ),
      "words after its system identifier": doctype('DOCTYPE html SYSTEM "x" y'),
      "no space before its name": doctype("doctypehtml"),
      "one of IETF's that is not of the list": doctype(
        'DOCTYPE HTML PUBLIC "-//IETF//DTD HTML i18n//EN"',
      ),
      "transitional with a system identifier": doctype(
        'DOCTYPE html PUBLIC "-//W3C//DTD HTML 4.01 Transitional//EN" "http://www.w3.org/TR/html4/loose.dtd"',
      ),
      "XHTML 1.0 Transitional, even without a system identifier": doctype(
        "DOCTYPE html PUBLIC '-//W3C//DTD XHTML 1.0 Transitional//EN'",
      ),
      "XHTML Mobile, which no browser knows": doctype(
        'DOCTYPE html PUBLIC "-//WAPFORUM//DTD XHTML Mobile 1.0//EN" "http://x/m.dtd"',
      ),
      "legacy-compat": doctype('DOCTYPE html SYSTEM "about:legacy-compat"'),
      "none, in XHTML sent as XML": all(XML, doctype(null)),
      "XHTML 1.0 Strict": doctype(
        'DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1-strict.dtd"',
      ),
    },
  },
  "html.charset": {
    fail: {
      "after 1024 bytes": declareCharset("text/html", "utf-8", 1100),
      "the header wins over the meta": declareCharset("text/html; charset=iso-8859-1", "utf-8"),
      "latin1 in the meta": declareCharset("text/html", "latin1"),
      "latin1 in an XML declaration": all(
        XML,
        html({ charset: null }),
        body({ start: "<?xml version='1.0' encoding='iso-8859-1'?>" }),
      ),
      ...each(["utf-16le", "utf-16be"] as const, (bomEncoding) => [
        `a byte order mark of ${bomEncoding}, whatever the header says`,
        all(declareCharset("text/html; charset=utf-8", "utf-8"), body({ bomEncoding })),
      ]),
    },
    unknown: { "no HTML read": loseHtml },
    pass: {
      "a meta": declareCharset("text/html", "UTF8"),
      "none, in XHTML sent as XML": all(XML, html({ charset: null })),
      "an XML declaration, in XML": all(XML, html({ charset: null }), XML_DECLARATION),
      "an XML declaration, in HTML": all(declareCharset("text/html", null), XML_DECLARATION),
      "a byte order mark over all": all(
        declareCharset("text/html; charset=iso-8859-1", null),
        body({ bomEncoding: "utf-8" }),
      ),
    },
  },
  "html.lang": {
    fail: {
      empty: html({ lang: "" }),
      "xml:lang, in HTML, where it says nothing": html({ lang: null, xmlLang: "fr" }),
      "xml:lang over lang, in XML": all(XML, html({ xmlLang: "" })),
      "an underscore": html({ lang: "fr_FR" }),
      "a word": html({ lang: "english" }),
      ...each(
        [
          ..."en- e x-klingon zh-yue- de-1996-1996 en-a-bb-a-cc abcde-US".split(" "),
          ..."jp ua cn-CN cz us fr-FRA en-USA pt-BRA xx".split(" "),
        ],
        (tag) => [tag, html({ lang: tag })],
      ),
    },
    pass: {
      ...each(
        [
          ..."zh-yue zh-cmn-Hans sgn-ase i-klingon zh-min-nan en-GB-oed de-1996".split(" "),
          ..."uk ja kr tw iw no-nyn fil yue gsw-CH ar-arz sr-Latn-RS en-UK zxx und".split(" "),
        ],
        (tag) => [tag, html({ lang: tag })],
      ),
      ...each(["sl-rozaj-biske", "es-419", "ar-u-nu-latn-x-a", "art-lojban"], (tag) => [
        tag,
        html({ lang: tag }),
      ]),
      "with script and region": html({ lang: "zh-Hant-TW" }),
      "xml:lang, in XHTML sent as XML": all(XML, html({ lang: null, xmlLang: "fr" })),
    },
    unknown: { "no HTML read": loseHtml },
  },
  "html.title": {
    fail: {
      ...MISSING,
      empty: html({ title: "  " }),
      "a template's": html({ title: "React App" }),
      "Vite's, for any framework": html({ title: "Vite + Lit + TS" }),
      ...each(
        ["Loading…", "Welcome!", "Bienvenue", "Untitled", "ホーム", "الرئيسية", "Главная"],
        (title) => [title, html({ title })],
      ),
    },
    partial: { two: html({ titleCount: 2 }) },
    pass: {
      ...WHOLE_HEAD,
      "one about a template's subject": html({ title: "Vite + React, a guide" }),
      ...each(["Welcome to Tea", "Loading docks of Lille"], (title) => [title, html({ title })]),
    },
  },
  "html.description": {
    fail: {
      ...MISSING,
      empty: meta("description", " "),
      "a template's": meta("description", "Web site created using create-react-app"),
    },
    unknown: { "not in what was read": all(cutHead, meta("description")) },
    pass: { ...WHOLE_HEAD, there: () => {} },
  },
  "html.viewport": {
    fail: {
      ...MISSING,
      ...each(["/impressum.js", "/js/flutter.html", "/flutter.css"], (path) => [
        `none, and ${path}`,
        all(meta("viewport"), addScript(path)),
      ]),
      "a fixed width": meta("viewport", "width=1024"),
      "a fixed width, not zoomed": meta("viewport", "width=1024, initial-scale=1"),
    },
    partial: {
      "user-scalable=no": meta("viewport", "width=device-width, user-scalable=no"),
      "maximum-scale=1": meta("viewport", "width=device-width; maximum-scale=1.0"),
      ...each(
        ["user-scalable=false", "user-scalable=0.5", "maximum-scale=yes", "maximum-scale=none"],
        (pair) => [pair, meta("viewport", `width=device-width, ${pair}`)],
      ),
    },
    not_applicable: {
      "none, and a script that writes it": all(meta("viewport"), html({ writesViewport: true })),
      "one that a script replaces": all(
        meta("viewport", "width=1024"),
        addScript("/js/impress.js"),
      ),
      "none, and a file that writes it": all(meta("viewport"), ({ assets }) => {
        for (const { file } of assets) if (file) file.writesViewport = true;
      }),
      ...each(
        ["/flutter_bootstrap.js", "/app/flutter.js", "/main.dart.js", "/aframe-v1.5.0.min.js"],
        (path) => [`none, and ${path}`, all(meta("viewport"), addScript(path))],
      ),
    },
    pass: {
      ...WHOLE_HEAD,
      "its own, beside a script that writes one": html({ writesViewport: true }),
      ...each(
        ["user-scalable=yes", "user-scalable=2", "user-scalable=device-width", "maximum-scale=-1"],
        (pair) => [pair, meta("viewport", `width=device-width, ${pair}`)],
      ),
      "the scale alone, which sets the width": meta("viewport", "initial-scale=1"),
      "the last one counts, in capitals, with spaces": meta(
        "viewport",
        "width=1024",
        "WIDTH = device-width,maximum-scale=5",
      ),
    },
  },
  "html.content": {
    fail: {
      "an empty root": html({ textLength: 30, emptyRootId: "root" }),
      ...each(
        [
          "Loading…",
          "Chargement en cours...",
          "We use cookies to make this site better for all who visit it.\nAccept all\nReject",
          "Nous utilisons des cookies pour mesurer l’audience de ce site.\nTout accepter\nPersonnaliser",
          "Wir verwenden Cookies, um Inhalte zu personalisieren.\nAlle akzeptieren\nMehr erfahren",
          "読み込み中...",
          "جارٍ التحميل…",
          "Загрузка, пожалуйста подождите… 10%",
          "로딩 중",
          "当サイトではCookieを使用しています。\n同意する",
          "Мы используем файлы cookie.\nПринять",
          "Ta strona używa plików cookie, aby zapewnić najlepszą jakość.\nAkceptuję\nOdrzuć",
          "Utilizamos cookies para melhorar a sua experiência.\nAceitar todos\nRejeitar",
          "Vi använder cookies för att förbättra din upplevelse.\nAcceptera alla\nNeka",
          "Denne hjemmeside bruger cookies.\nAccepter\nAfvis",
          "Bu site çerezleri kullanır.\nKabul et\nReddet",
          "Tyto stránky používají soubory cookie.\nPřijmout vše\nOdmítnout",
          "이 웹사이트는 쿠키를 사용합니다.\n동의",
          "Loading\nThis website uses cookies to ensure you get the best experience.\nGot it!",
        ],
        (text) => [
          `all it says: ${text}`,
          html({ text, textLength: text.length, imageCount: 0, shownCount: 2 }),
        ],
      ),
      "an empty root beside a sprite": html({
        textLength: 0,
        shownCount: 1,
        emptyRootId: "root",
      }),
      "a noscript of a few words": html({ textLength: 0, imageCount: 0, noscriptLength: 46 }),
      "a noscript that only asks for JavaScript, at length": html({
        textLength: 0,
        imageCount: 0,
        noscriptLength: 95,
      }),
    },
    pass: {
      "a noscript with the gist": html({ textLength: 0, imageCount: 0, noscriptLength: 200 }),
      "pictures without words": html({ textLength: 0, imageCount: 2 }),
      ...each(
        [
          "Our cookies\nOat cookie with a pinch of salt\nCookie with dark chocolate from Peru",
          "We use cookies to make this site better.\nTea by the leaf, since 1970\nGreen tea and black tea",
          `We use cookies. ${"Each of them is named below, with its purpose. ".repeat(14)}`,
        ],
        (text) => [`a page of its own: ${text}`, html({ text, textLength: text.length })],
      ),
      "a form to sign in": html({ textLength: 20, imageCount: 0, shownCount: 3 }),
    },
  },
  "html.img-alt": {
    fail: { "2 of 10 without": withoutAlt(2, 10) },
    partial: { "1 of 10 without": withoutAlt(1, 10) },
    not_applicable: { "no image": html({ imageCount: 0 }) },
    pass: { all: () => {} },
  },
});
