import { describe, expect, it } from "vitest";
import { readOwn } from "../harness/pages.ts";
import { findChallenge } from "../../server/probe/body/challenge.ts";

function page(title: string, body: string): string {
  return `<!DOCTYPE html><html><head><title>${title}</title></head><body>${body}</body></html>`;
}

const CAPTCHA = '<form><script src="https://www.google.com/recaptcha/api.js"></script></form>';

describe("findChallenge passes over a page of the site itself", () => {
  it.each([
    ["an ordinary one", page("Accueil", "<h1>Bonjour</h1>")],
    [
      "behind Cloudflare",
      page(
        "Accueil",
        '<script>window.__CF$cv$params={};a.src="/cdn-cgi/challenge-platform/scripts/jsd/main.js"</script>',
      ),
    ],
    [
      "with a Turnstile in its form",
      page(
        "Connexion",
        '<script src="https://challenges.cloudflare.com/turnstile/v0/api.js"></script><div class="cf-turnstile">',
      ),
    ],
    [
      "with hCaptcha in its form",
      page(
        "Contact",
        '<script src="https://js.hcaptcha.com/1/api.js"></script><div class="h-captcha">',
      ),
    ],
    [
      "behind DataDome",
      page("Shop", '<script src="https://js.datadome.co/tags.js" async></script>'),
    ],
    [
      "behind Imperva",
      page(
        "Shop",
        '<script src="/_Incapsula_Resource?SWJIYLWA=719d34d31c8e3a6e6fffd425f7e032f3"></script>',
      ),
    ],
    ["behind HUMAN", page("Shop", "<script>window._pxAppId = 'PXabc'</script>")],
    [
      "behind AWS WAF",
      page(
        "Shop",
        '<script src="https://abc.edge.sdk.awswaf.com/abc/challenge.js" defer></script>',
      ),
    ],
    ["that is about challenges", page("What “Just a moment...” means", "<p>_cf_chl_opt</p>")],
    ["that refuses by itself", page("Access Denied", "<h1>You need an account</h1>")],
    ["about security checks", page("Security check for your boiler", `<p>Book</p>${CAPTCHA}`)],
    ["with a checklist and a form", page("Security checklist", `<h1>Ten steps</h1>${CAPTCHA}`)],
    ["about checkpoints", page("Security checkpoints in Europe", CAPTCHA)],
    ["about people", page("Are you human? A novel", CAPTCHA)],
    [
      "that sells checks",
      page(
        "Security check | Acme",
        `${"<p>We look at doors, locks and windows. ".repeat(20)}${CAPTCHA}`,
      ),
    ],
    [
      "that quotes a challenge's code",
      page("Just a moment...", "<pre>window._cf_chl_opt={cvId:'3'}</pre>"),
    ],
    [
      "that quotes an Akamai page in a text box",
      page("Blocked", '<textarea><div id="sec-if-cpt-container"></textarea>'),
    ],
    [
      "that explains an F5 page at length",
      page(
        "Request Rejected",
        `<p>Please enable JavaScript to view the page content. Your support ID is: 1</p>${"<p>What that means. ".repeat(200)}`,
      ),
    ],
  ])("%s", async (_name, text) => {
    expect(await findChallenge(await readOwn(text))).toBeNull();
  });
});

describe("findChallenge names", () => {
  it.each([
    ["Cloudflare", page("Just a moment...", "<script>window._cf_chl_opt={cvId:'3'}</script>")],
    ["Cloudflare", page("Attention Required! | Cloudflare", '<div id="cf-error-details">')],
    ["Cloudflare Access", page("Sign in ・ Cloudflare Access", "<form>")],
    ["Vercel", page("Vercel Security Checkpoint", "<p>We're verifying your browser</p>")],
    [
      "Akamai",
      "<HTML><HEAD>\n<TITLE>Access Denied</TITLE>\n</HEAD><BODY>Reference&#32;&#35;18&#46;1<P>https&#58;&#47;&#47;errors&#46;edgesuite&#46;net&#47;18</P>",
    ],
    ["Akamai", '<html><body><div id="sec-if-cpt-container">'],
    [
      "DataDome",
      "<html><head><title>example.com</title></head><body><script data-cfasync=\"false\">var dd={'rt':'c','host':'geo.captcha-delivery.com'}</script></body></html>",
    ],
    [
      "PerimeterX",
      page(
        "Access to this page has been denied",
        "<script>window._pxAppId = 'PX1';</script><div id=\"px-captcha\"></div>",
      ),
    ],
    [
      "AWS WAF",
      page(
        "",
        '<script>window.gokuProps = {"key":"x"};</script><script src="https://a.token.awswaf.com/a/challenge.js"></script>',
      ),
    ],
    [
      "Imperva",
      '<html><head></head><body><iframe id="main-iframe" src="/_Incapsula_Resource?CWUDNSAI=9&xinfo=1"></iframe></body></html>',
    ],
    ["Imperva", page("Pardon Our Interruption", "<p>something about your browser</p>")],
    [
      "Sucuri",
      page("You are being redirected...", "<script>var s={},sucuri_cloudproxy_js='';</script>"),
    ],
    ["DDoS-Guard", page("DDoS-Guard", "<h1>Checking your browser</h1>")],
    ["F5", page("Request Rejected", "The requested URL was rejected. Your support ID is: 123")],
    [
      "Anubis",
      page(
        "Making sure you&#39;re not a bot!",
        '<script id="anubis_challenge" type="application/json">{}</script><script src="/.within.website/x/cmd/anubis/static/js/main.mjs"></script>',
      ),
    ],
    ["captcha", page("Security Check - Acme", `<p>One more step</p>${CAPTCHA}`)],
    ["captcha", page("Security checkpoint", CAPTCHA)],
    ["captcha", page("Are you a robot?", CAPTCHA)],
    [
      "captcha",
      page("Verify you are human", '<script src="https://js.hcaptcha.com/1/api.js"></script>'),
    ],
  ])("%s", async (name, text) => {
    expect(await findChallenge(await readOwn(text))).toBe(name);
  });
});
