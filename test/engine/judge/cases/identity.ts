import type { StatedAddress } from "../../../../server/engine/evidence/html.ts";
import { pageHop, pageHtml } from "../evidence-fixtures.ts";
import { all, cutHead, header, html, lastHop, meta } from "./page-edits.ts";
import { cases, each, type Edit } from "./rule-case.ts";

const canonical = (url: string): Edit => html({ canonicals: [{ url, line: 3 }] });
const state = (by: StatedAddress["by"], ...urls: string[]): Edit =>
  html({ stated: urls.map((url) => ({ url, line: 4, by })) });
const sitemapOf =
  (...origins: string[]): Edit =>
  (e) =>
    Object.assign(e.sitemap ?? {}, { origins });
const at = (url: string): Edit =>
  all(lastHop({ url }), sitemapOf(new URL(url).origin), (e) => (e.url = url));
const menu =
  (...urls: string[]): Edit =>
  (e) => {
    pageHtml(e).links = urls.map((url, index) => ({
      url,
      line: 20 + index,
      hostClass: "public",
      isMenu: true,
    }));
    pageHtml(e).linkCount = urls.length;
  };
const preview: Edit = (e) => {
  e.preview = true;
};

const base = (url: string): Edit => html({ base: { url, line: 3, offset: 90, isUsed: true } });

const OTHER = "https://template-demo.com/";
const ARTICLE = at("https://www.example.com/blog/tea");

export const IDENTITY_CASES = cases({
  "seo.identity": {
    fail: {
      "a home page with another site's canonical": canonical(OTHER),
      "a home page with the canonical of its theme's author": canonical(
        "https://1965ann.github.io/theme/",
      ),
      "a menu of staging on a home platform": menu(
        "https://example-staging.github.io/",
        "https://example-staging.github.io/about",
      ),
      "a preview of one branch, on a home platform": menu(
        "https://next.example.pages.dev/",
        "https://next.example.pages.dev/about",
      ),
      "another site's in a Link header": all(
        html({ canonicals: [] }),
        header("link", `<${OTHER}>; rel="canonical"`),
      ),
      "another site's, of a home page in French": all(
        at("https://www.example.com/fr/"),
        canonical(OTHER),
      ),
      "a developer's machine": canonical("http://localhost:3000/"),
      "another user's of the platform": all(
        at("https://tea.vercel.app/"),
        canonical("https://starter-kit.vercel.app/"),
      ),
      ...each(
        [
          "staging.example.com",
          "dev.example.com",
          "www-test.example.com",
          "example-staging.com",
          "example.vercel.app",
          "example-git-main-ann.vercel.app",
          "example.ddev.site",
          "localhost:3000",
          "192.168.1.4",
        ],
        (host) => [
          `a menu of ${host}`,
          menu(`https://${host}/`, `https://${host}/about`, "https://www.example.com/news"),
        ],
      ),
    },
    partial: {
      ...each(["https://staging.example.com/", "http://localhost:3000/", OTHER], (url) => [
        `og:url ${url}`,
        meta("og:url", url),
      ]),
      "hreflang of staging, though others are right": state(
        "hreflang",
        "https://www.example.com/",
        "https://preprod.example.com/fr",
      ),
      "hreflang of another site alone": state("hreflang", OTHER),
      "JSON-LD of another site": state("json_ld", OTHER),
      "a part of JSON-LD on staging": state("json_ld_part", "https://stg2.example.com/#logo"),
      "a sitemap of staging": sitemapOf("https://uat.example.com"),
      "a sitemap of another site": sitemapOf("https://template-demo.com"),
      "og:url of a preview, on an article": all(
        ARTICLE,
        meta("og:url", "https://example-9f8e7d6c5-ann.vercel.app/blog/tea"),
      ),
      "one link of the menu to staging": menu(
        "https://staging.example.com/",
        "https://www.example.com/a",
        "https://www.example.com/b",
      ),
      "a menu of staging, on an article": all(
        ARTICLE,
        menu("https://staging.example.com/", "https://staging.example.com/about"),
      ),
      "JSON-LD that is none": html({ badJsonLdLine: 12 }),
      ...each(["https://staging.example.com/", "http://localhost:3000/"], (url) => [
        `a base of ${url}`,
        base(url),
      ]),
      "a home page of GitHub Pages with the canonical of a name there": all(
        header("server", "GitHub.com"),
        canonical("https://1965ann.github.io/"),
      ),
    },
    pass: {
      ...each(
        [
          "example.github.io",
          "example.gitlab.io",
          "example.pages.dev",
          "example.codeberg.page",
          "example.readthedocs.io",
          "example.gitbook.io",
          "example.blogspot.com",
          "example.bitbucket.io",
          "example-dev.github.io",
        ],
        (host) => [
          `a menu of the organization's home: ${host}`,
          menu(`https://${host}/royale`, `https://${host}/`, "https://www.example.com/news"),
        ],
      ),
      "a canonical at the organization's home": canonical("https://example.github.io/"),
      "a base of the site's files elsewhere": base("https://example-cdn.net/tea/"),
      "an article that was first published elsewhere": all(
        ARTICLE,
        canonical("https://dev.to/ann/tea"),
        meta("og:url", "https://dev.to/ann/tea"),
      ),
      ...each(
        [
          "https://example.de/",
          "https://shop.example.co.uk/",
          "https://example-tea.com/",
          "https://xn--exmple-cua.com/",
        ],
        (url) => [`the same brand: ${url}`, all(canonical(url), meta("og:url", url))],
      ),
      "a platform's name, with the canonical of its own domain": all(
        at("https://tea.netlify.app/"),
        canonical("https://www.teahouse.com/"),
      ),
      "a site whose own host is on a platform": all(
        at("https://tea.vercel.app/"),
        canonical("https://tea.vercel.app/"),
        menu("https://tea.vercel.app/", "https://tea.vercel.app/about"),
      ),
      "a help desk with the canonical of its own domain": all(
        at("https://example.zendesk.com/"),
        canonical("https://help.example.com/"),
      ),
      ...each(
        ["https://staging.example.com/", "https://192.168.1.4/", "https://[2001:db8::1]/"],
        (url) => [
          `a page that is itself elsewhere: ${url}`,
          all(at(url), canonical("https://www.tea.com/"), menu(url, `${url}about`)),
        ],
      ),
      "test.de, a site of its own": all(
        at("https://www.test.de/"),
        canonical("https://www.test.de/"),
      ),
      "a theatre that links to its stages": menu(
        "https://www.example.com/staging",
        "https://www.example.com/stage/dev",
      ),
      "a portal for developers in the menu": menu(
        "https://dev.example.com/docs",
        "https://dev.example.com/api/v1",
        "https://dev.example.com/",
        "https://www.example.com/pricing",
        "https://www.example.com/about",
      ),
      "an app on a platform, in the menu of its own page": menu(
        "https://example.vercel.app/login",
        "https://example.vercel.app/signup",
        "https://www.example.com/pricing",
      ),
      "a product that is called preview, and a status page": menu(
        "https://preview.example.com/",
        "https://example.statuspage.io/",
        "https://www.example.com/pricing",
      ),
      "other sites in the menu": menu(
        OTHER,
        `${OTHER}a`,
        "https://dev.to/ann",
        "https://www.test.de/",
      ),
      "languages in other countries": state(
        "hreflang",
        "https://www.example.com/",
        "https://www.beispiel-shop.de/",
      ),
      "parts of JSON-LD that are others'": state(
        "json_ld_part",
        "https://x.com/ann",
        "https://github.com/ann",
      ),
      "JSON-LD with ids that are no addresses": state("json_ld", "urn:uuid:1", "_:b0"),
      "a sitemap that names its own and others": sitemapOf(
        "https://www.example.com",
        "https://cdn-images.net",
      ),
      "og:url of a sister site, on an article": all(ARTICLE, meta("og:url", OTHER)),
    },
    not_applicable: {
      "a preview with production's addresses": all(
        preview,
        canonical(OTHER),
        menu("https://staging.example.com/", "https://staging.example.com/about"),
      ),
    },
    unknown: { "a head that was not read whole": all(cutHead, canonical("/")) },
  },
  "seo.canonical": {
    fail: {
      "staging's": canonical("https://staging.example.com/"),
      "a relative one in a Link header": all(
        html({ canonicals: [] }),
        header("link", '</>; rel="canonical"'),
      ),
      "two, in a Link header and in the head": header(
        "link",
        '<https://www.example.com/b>; rel="canonical"',
      ),
    },
    pass: {
      "a preview that names another of its hosts": all(
        preview,
        canonical("https://tea-9f8e7d6c5-ann.vercel.app/"),
      ),
      "the same in a Link header and in the head": header(
        "link",
        '<https://www.example.com/>; rel="canonical"',
      ),
      "an article that was first published on somebody's own platform": all(
        ARTICLE,
        canonical("https://ann-writes.netlify.app/tea"),
      ),
    },
    not_applicable: {
      "a Link header of another kind": (e) => {
        html({ canonicals: [] })(e);
        pageHop(e).headers.push(["link", '</a.css>; rel="preload"']);
      },
    },
  },
});
