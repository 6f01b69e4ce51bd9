import { describe, expect, it, test } from "vitest";
import { ROBOTS_REQUESTS, SCAN_BOUNDS } from "../../server/base/bounds.ts";
import { RULESET } from "../../server/engine/judge/ruleset.ts";
import { renderAboutPage } from "../../server/web/pages/public/about-page.tsx";
import { renderDocumentPage } from "../../server/web/pages/public/document-page.tsx";
import { renderRulesPage } from "../../server/web/pages/public/rules-page.tsx";
import { expectSoundPage } from "../harness/html.ts";

const encode = (text: string) => text.replaceAll("&", "&amp;").replaceAll('"', "&quot;");

describe.each(["fr", "en"] as const)("the rules page in %s", (language) => {
  const page = renderRulesPage({ language });

  it("has one anchor for each rule, with its title and its standard", () => {
    for (const { id, rule } of RULESET.rows) {
      expect(page.split(`id="${id}"`)).toHaveLength(2);
      const inEnglish = language === "fr" ? " (en anglais)</a>" : "</a>";
      const link = `href="${rule.standard.url}" hreflang="en">${encode(rule.standard.name)}`;
      expect(page).toContain(`${link}${inEnglish}`);
    }
  });

  it("is a complete document in its language, without a script", () => {
    expect(page.startsWith(`<!doctype html><html lang="${language}">`)).toBe(true);
    expect(page).not.toContain("<script");
    expect(page.match(/<h1/g)).toHaveLength(1);
  });

  it("escapes the elements in its sentences", () => {
    expect(page).toContain("&lt;!doctype html");
  });
});

describe("the about page", () => {
  const options = {
    publicUrl: "https://score.example.net",
    userAgent: "shipscore/1 (+<about>)",
    cycleSeconds: 300,
  };
  const [french, english] = (["fr", "en"] as const).map((language) =>
    renderAboutPage(options, { language }),
  ) as [string, string];

  it("shows the User-Agent and links to the rules, only in the reader's language", () => {
    for (const page of [french, english]) {
      expect(page).toContain("shipscore/1 (+&lt;about>)");
      expect(page).toContain('href="https://score.example.net/docs/rules"');
    }
    expect(french).toContain("<title>Les requêtes d'une vérification de shipscore");
    expect(english).not.toMatch(/vérification|<html lang="fr"/);
  });

  it.each([
    ["French", french],
    ["English", english],
  ])(
    "describes in %s which requests are sent, how often, and how to refuse them",
    (_language, part) => {
      for (const request of ["robots.txt", "Origin", "port 80", "/shipscore-", "www.", "TLS 1.0"])
        expect(part).toContain(request);
      expect(part).toContain("HEAD");
      expect(part.match(/<tr>/g)).toHaveLength(11);
      for (const bound of ["30", "8", "240", "60", "6", "401, 403", "429"])
        expect(part).toContain(bound);
    },
  );

  it.each([
    [
      "French",
      french,
      "ainsi analysé au plus 20 fois par heure",
      "fois par jour",
      "depuis un compte ne sont pas concernées",
    ],
    [
      "English",
      english,
      "at most 20 times an hour",
      "once a day",
      "Checks made from an account are not affected",
    ],
  ])(
    "describes in %s the limits of public scans, and how to refuse them",
    (_language, part, ...said) => {
      const text = part.replaceAll(/\s+/g, " ");
      for (const each of said) expect(text).toContain(each);
      for (const bound of [SCAN_BOUNDS.visitorHour, SCAN_BOUNDS.visitorDay, ROBOTS_REQUESTS])
        expect(text).toMatch(new RegExp(`\\b${bound}\\b`));
      expect(part).toContain("<code>User-agent: shipscore\nDisallow: /</code>");
    },
  );

  it.each([
    [0, "aussi souvent que l'administrateur", "as often as the administrator"],
    [300, "toutes les cinq minutes, sauf", "every five minutes, unless"],
    [90, "toutes les 90 secondes, sauf", "every 90 seconds, unless"],
    [3600, "toutes les 60 minutes, sauf", "every 60 minutes, unless"],
  ])("says that a watched URL is checked every %i s", (cycleSeconds, ...words) => {
    for (const [index, language] of (["fr", "en"] as const).entries()) {
      const text = renderAboutPage({ ...options, cycleSeconds }, { language });
      expect(text.replaceAll(/\s+/g, " ")).toContain(words[index]);
    }
  });
});

describe.each(["ci", "alerts", "mcp"] as const)("the document %s", (name) => {
  it.each(["fr", "en"] as const)(
    "is a light page (%s), whose links lead to pages",
    async (language) => {
      const site = { origin: "https://score.example.net" };
      const html = await renderDocumentPage(name, { language }, site);
      const page = expectSoundPage(html, language);
      expect(page.all("h1")).toHaveLength(1);
      expect(Buffer.byteLength(html)).toBeLessThan(80_000);
      expect(html).toContain(`<article class="doc" lang="${language}">`);
      expect(page.text).not.toContain("Cette page n'existe qu'en anglais");
      expect(html).not.toContain("https://shipscore.example.com");
      for (const { href = "" } of page.all("a")) {
        expect(href).toMatch(
          /^(?:https:|\/$|\/(?:docs\/(?:rules|ci|alerts|mcp)|about\/checks|projects)|#)/,
        );
        if (href.startsWith("#")) expect(page.byId(href.slice(1))).toBeDefined();
      }
    },
  );
});

test("a French document has no-break spaces in its prose, and none in its code", async () => {
  const html = await renderDocumentPage("mcp", { language: "fr" }, {});
  expect(html).toContain("HTTP\u00a0:");
  expect(html).toContain("20\u00a0000 caractères");
  for (const [code] of html.matchAll(/<(pre|code)\b[^]*?<\/\1>/g))
    expect(code).not.toContain("\u00a0");
});
