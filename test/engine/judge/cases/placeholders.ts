import type { Headers } from "../../../../server/engine/evidence/exchange.ts";
import { pageHtml } from "../evidence-fixtures.ts";
import { all, cutPage, html, lastHop, meta } from "./page-edits.ts";
import { cases, each, type Edit } from "./rule-case.ts";

const title = (words: string) => html({ title: words });
const link =
  (url: string): Edit =>
  (e) =>
    pageHtml(e).links.push({ url, line: 50, hostClass: "public", isMenu: false });
const image =
  (url: string): Edit =>
  (e) => {
    const [, known] = pageHtml(e).resources;
    if (known) pageHtml(e).resources.push({ ...known, url });
  };
const shown = (tag: string, text: string, scriptCount = 1) =>
  html({ templateTexts: [{ tag, text, line: 30 }], scriptCount });
/** Texts and their tags in turn. */
const texts = (...shownTexts: readonly `${string}: ${string}`[]) =>
  html({
    templateTexts: shownTexts.map((one) => ({
      tag: one.split(": ", 1)[0] ?? "",
      text: one.replace(/^\w+: /, ""),
      line: 30,
    })),
  });

const SITE = "https://www.example.com";

const idle = (...networks: string[]) =>
  html({ idleNetworks: networks.map((network) => ({ network, line: 60 })) });
const icon =
  (path: string, bytes?: number, coding?: string): Edit =>
  (e) => {
    const [, known] = pageHtml(e).resources;
    const [, file] = e.assets;
    const own = { tag: "link", kind: "icon" as const, url: `${SITE}${path}` };
    if (known) pageHtml(e).resources.push({ ...known, ...own });
    const headers: Headers = [["content-length", String(bytes)]];
    if (coding) headers.push(["content-encoding", coding]);
    if (file && bytes) e.assets.push({ ...file, ...own, headers });
  };

export const PLACEHOLDER_CASES = cases({
  "html.placeholder": {
    fail: {
      "links to two networks that lead nowhere": idle("facebook", "twitter"),
      ...each(["/vite.svg", "/app/vite.svg", "/vercel.svg"], (path) => [
        `a template's icon: ${path}`,
        icon(path),
      ]),
      ...each(
        [
          ["/favicon.ico", 3870],
          ["/app/logo192.png", 5347],
          ["/favicon.ico", 25_931],
          ["/img/favicon.ico", 3626],
        ] as const,
        ([path, bytes]) => [`a template's icon, by its size: ${path}`, icon(path, bytes)],
      ),
      ...each(
        [
          "{{title}}",
          "{{ page.title }} | Shop",
          "Shop – {{ title | upper }}",
          "${title}",
          "<%= htmlWebpackPlugin.options.title %>",
          "{% block title %}{% endblock %}".slice(0, 17),
          "%PAGE_TITLE%",
          "undefined | Shop",
          "Shop - undefined",
          "null | Shop",
          "[object Object]",
          "Lorem ipsum dolor sit amet",
        ],
        (words) => [`the title ${words}`, title(words)],
      ),
      "a description": meta("description", "{{description}}"),
      "a description without a value": meta("description", "undefined"),
      "a description of filler": meta("description", "Lorem ipsum dolor sit amet, consectetur."),
      "the card's title": meta("og:title", "undefined"),
      "the card's description": meta("og:description", "[object Object]"),
      ...each(
        [
          "%PUBLIC_URL%/logo.png",
          "%VITE_CDN%/logo.png",
          "%sveltekit.assets%/logo.png",
          "%3C%=%20BASE_URL%20%%3Elogo.png",
          "%7B%%20static%20'a.png'%20%%7D",
          "[object%20Object]",
          "images/undefined",
          "images/undefined.png",
        ],
        (path) => [`an image at ${path}`, image(`${SITE}/${path}`)],
      ),
      ...each(
        [
          "Invalid Date",
          "Published: Invalid Date",
          "Your Company Name",
          "Your tagline here",
          "Add your text here",
          "[Company Name]",
          "© 2026 Your Company. All rights reserved.",
        ],
        (text) => [`a paragraph: ${text}`, shown("p", text)],
      ),
      ...each(
        [
          "home.hero.title",
          "HOME.HERO.TITLE",
          "HomePage.hero.cta_button",
          "common:footer.links.privacy",
          "landing.features.first.description",
          "pages.about.welcomeTitle",
          "translation missing: fr.home.title",
          '[missing "en.home.title" translation]',
        ],
        (key) => [`a heading without its translation: ${key}`, shown("h1", key)],
      ),
      "a menu without its translations": texts("a: nav.home", "a: nav.pricing"),
      "a form without its translations": texts("label: form.email", "button: form.submit"),
      "texts of a section, and its heading": texts(
        "h2: home.title",
        "p: home.subtitle",
        "p: home.lead",
      ),
      "the title of a page that is not translated": title("home.meta.title | Shop"),
      "a link to undefined": link(`${SITE}/undefined`),
      "a link under undefined": link(`${SITE}/undefined/about`),
      "a link to an object": link(`${SITE}/users/[object%20Object]`),
      "a heading": shown("h1", "undefined"),
      "a paragraph": shown("p", "[object Object]"),
      "a button": shown("button", "NaN"),
      ...each(
        [
          "Welcome, undefined!",
          "Bonjour undefined",
          "€NaN",
          "NaN %",
          "Total: $undefined",
          "Price: [object Object]",
        ],
        (words) => [`a paragraph: ${words}`, shown("p", words)],
      ),
      "filler in a list": shown("li", "Lorem ipsum dolor sit amet"),
      filler: shown("p", "Lorem ipsum dolor sit amet, consectetur adipiscing elit."),
      "what no script fills in": shown("h2", "{{ product.name }}", 0),
      "an address that no script fills in": all(
        link(`${SITE}/%7B%7Burl%7D%7D`),
        html({ scriptCount: 0 }),
      ),
      "a title in a page that was cut": all(title("{{title}}"), cutPage),
    },
    pass: {
      "links to one network that lead nowhere, in head and footer": idle("facebook", "facebook"),
      ...each(
        ["/favicon.svg", "/favicon.ico", "/logo192.png", "/invite.svg", "/vite.svg.png"],
        (path) => [`an icon of its own: ${path}`, icon(path)],
      ),
      "an icon of its own under a template's name": icon("/logo192.png", 5348),
      "a compressed icon that happens to be as small": icon("/favicon.ico", 3870, "gzip"),
      "another file as large as a template's icon": icon("/tea.png", 5347),
      "an image of Vite's logo": image(`${SITE}/vite.svg`),
      ...each(
        [
          ["h2", "Invalid Date"],
          ["label", "Your company name"],
          ["button", "Your text here"],
          ["h2", "Your company"],
          ["p", "Your company is in good hands."],
          ["p", "What an Invalid Date is"],
        ],
        ([tag, text]) => [`a page's own words: ${tag} ${text}`, shown(tag ?? "", text ?? "")],
      ),
      ...each(
        [
          "What undefined means in JavaScript",
          "How to use {{value}} in Vue templates",
          "Why do I see [object Object]? – Blog",
          "Fix %PUBLIC_URL% in index.html",
          "50% off – 100% cotton",
          "Lorem Ipsum generator",
          "Undefined Records | Shop",
          "C++ {} initialisers",
        ],
        (words) => [`the title ${words}`, title(words)],
      ),
      ...each(
        [
          ["h1", "home.title"],
          ["h1", "next.config.js"],
          ["h1", "docs.example.com"],
          ["h1", "process.env.title"],
          ["h1", "os.path.join"],
          ["h2", "site.page.title"],
          ["p", "java.util.title"],
          ["a", "about.me"],
          ["p", "Ask home.hero.title of the translator."],
        ],
        ([tag, text]) => [`a name with dots: ${tag} ${text}`, shown(tag ?? "", text ?? "")],
      ),
      "files of a theme": texts("a: header.php", "a: footer.php", "a: menu.json"),
      "a reference of settings, and links to its headings": texts(
        "a: page.title",
        "a: page.description",
        "h3: page.title",
        "h3: page.description",
      ),
      "a page about translations": all(
        texts("p: home.hero.title", "p: nav.home"),
        lastHop({ url: `${SITE}/docs/i18n/keys` }),
      ),
      "a page about undefined": all(
        title("undefined - JavaScript | Docs"),
        lastHop({ url: `${SITE}/docs/undefined` }),
      ),
      "a description that explains": meta("description", "When is a value undefined, when null?"),
      "a page about filler": all(title("Lorem Ipsum"), lastHop({ url: `${SITE}/lorem-ipsum` })),
      "a link to a page about undefined": link(`${SITE}/docs/Global_Objects/undefined`),
      "a link with escapes": link(`${SITE}/caf%C3%A9%20%AB_%BB/100%25`),
      "a link that a script fills in": link(`${SITE}/%7B%7Burl%7D%7D`),
      "text that a script fills in": shown("h2", "{{ product.name }}"),
      "a link to a type": shown("a", "undefined"),
      "a heading of a reference": shown("h3", "undefined"),
      "a page about null": all(
        title("null - JavaScript | Docs"),
        lastHop({ url: `${SITE}/docs/null` }),
      ),
      "a default in a reference": shown("p", "Default: undefined"),
      "prose on an amount": shown("p", "It then shows €NaN, or $undefined."),
      prose: shown("p", "The value is undefined until it is set."),
      "prose about templates": shown("p", "Write {{ name }} where the name goes.", 0),
      "a page about lorem ipsum": all(
        title("Lorem ipsum, and where it comes from"),
        shown("p", "Lorem ipsum dolor sit amet."),
      ),
    },
  },
});
