import { describe, expect, it } from "vitest";
import { readPageTexts } from "../../harness/pages.ts";
import { CAPTCHA, CHALLENGES, page } from "../../harness/challenges.ts";
import {
  findChallenge,
  mayShowChallenge,
} from "../../../server/engine/requests/body/body-facts.ts";

describe("findChallenge ignores a page of the site itself", () => {
  it.each(
    Object.entries({
      "an ordinary one": page("Accueil", "<h1>Bonjour</h1>"),
      "behind Cloudflare": page(
        "Accueil",
        '<script>window.__CF$cv$params={};a.src="/cdn-cgi/challenge-platform/scripts/jsd/main.js"</script>',
      ),
      "with a Turnstile in its form": page(
        "Connexion",
        '<script src="https://challenges.cloudflare.com/turnstile/v0/api.js"></script><div class="cf-turnstile">',
      ),
      "with hCaptcha in its form": page(
        "Contact",
        '<script src="https://js.hcaptcha.com/1/api.js"></script><div class="h-captcha">',
      ),
      "behind DataDome": page(
        "Shop",
        '<script src="https://js.datadome.co/tags.js" async></script>',
      ),
      "behind Imperva": page(
        "Shop",
        '<script src="/_Incapsula_Resource?SWJIYLWA=719d34d31c8e3a6e6fffd425f7e032f3"></script>',
      ),
      "behind HUMAN": page("Shop", "<script>window._pxAppId = 'PXabc'</script>"),
      "behind AWS WAF": page(
        "Shop",
        '<script src="https://abc.edge.sdk.awswaf.com/abc/challenge.js" defer></script>',
      ),
      "that is about challenges": page("What “Just a moment...” means", "<p>_cf_chl_opt</p>"),
      "that refuses by itself": page("Access Denied", "<h1>You need an account</h1>"),
      "about security checks": page("Security check for your boiler", `<p>Book</p>${CAPTCHA}`),
      "with a checklist and a form": page("Security checklist", `<h1>Ten steps</h1>${CAPTCHA}`),
      "about checkpoints": page("Security checkpoints in Europe", CAPTCHA),
      "about people": page("Are you human? A novel", CAPTCHA),
      "that sells checks": page(
        "Security check | Acme",
        `${"<p>We look at doors, locks and windows. ".repeat(20)}${CAPTCHA}`,
      ),
      "that quotes a challenge's code": page(
        "Just a moment...",
        "<pre>window._cf_chl_opt={cvId:'3'}</pre>",
      ),
      "that quotes an Akamai page in a text box": page(
        "Blocked",
        '<textarea><div id="sec-if-cpt-container"></textarea>',
      ),
      "that refreshes itself": page(
        "News",
        '<meta http-equiv="refresh" content="60; url=/news"><script>a = "bm-verify"</script>',
      ),
      "that keeps a choice of language in a cookie": page(
        "Tea",
        "<p>Choose</p><script>document.cookie = 'lang=fr'; location.reload()</script>",
      ),
      "that only leads to a language": page(
        "Tea",
        "<script>document.cookie = 'lang=fr'; location.href = '/fr/'</script>",
      ),
      "that encrypts with slowAES": page("Tea", "<script>x = slowAES.decrypt(c, 2, a, b)</script>"),
      "about Mod_Security": page("How Mod_Security works", "<p>Mod_Security</p>"),
      "with a moment to wait": page("One moment, please", "<h1>Loading tea</h1>"),
      "that explains an F5 page at length": page(
        "Request Rejected",
        `<p>Please enable JavaScript to view the page content. Your support ID is: 1</p>${"<p>What that means. ".repeat(200)}`,
      ),
    }),
  )("%s", async (_name, text) => {
    expect(await findChallenge(await readPageTexts(text))).toBeNull();
  });
});

describe("findChallenge names", () => {
  it.each(CHALLENGES)("%s", async (name, text) => {
    expect(await findChallenge(await readPageTexts(text))).toBe(name);
    expect(mayShowChallenge(text)).toBe(true);
  });
});
