export function page(title: string, body: string): string {
  return `<!DOCTYPE html><html><head><title>${title}</title></head><body>${body}</body></html>`;
}

export const CAPTCHA =
  '<form><script src="https://www.google.com/recaptcha/api.js"></script></form>';

export const CHALLENGES: [name: string, page: string][] = [
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
    "Akamai",
    `<html><head><meta http-equiv="refresh" content="5; URL='/news?bm-verify=AAQAAAAN'" /><title>&nbsp;</title></head><body><script>xhr.open("POST", "/_sec/verify?provider=interstitial", false);</script>`,
  ],
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
  [
    "Cloudflare",
    page("Access denied | shop.example used Cloudflare to restrict access", "<h1>Error</h1>"),
  ],
  ["Cloudflare", page("Waiting Room powered by Cloudflare", "<p>You are in line.</p>")],
  [
    "Vercel",
    page("Authentication Required", '<a href="https://vercel.com/sso-api?url=x">Log in</a>'),
  ],
  ["Akamai", page("Access Denied", "<p>https://errors.edgesuite.net/18")],
  ["Akamai", '<html><body><form id="sec-cpt-if">'],
  ["AWS WAF", page("Human Verification", '<script src="https://a.awswaf.com/a.js"></script>')],
  ["Sucuri", page("Sucuri WebSite Firewall - Access Denied", "<p>Blocked</p>")],
  ["Kasada", "<html><body><script>\n window.KPSDK={};</script></body></html>"],
  [
    "F5",
    "<html><body><noscript>Please enable JavaScript to view the page content.<br/>Your support ID is: 1</noscript>",
  ],
  ["Fastly", page("Client Challenge", '<script src="/_fs-ch-1T1w/script.js"></script>')],
  ["Radware", page("radware Captcha Page", "<p>We apologize</p>")],
  [
    "SiteGround",
    '<html><head><meta http-equiv="refresh" content="0;/.well-known/SGCaptcha/?r=%2F"></head></html>',
  ],
  ["Cloudflare", page("Un instant…", "<script>window._cf_chl_opt = {cvId: '3'};</script>")],
  ["Cloudflare", page("shop.example", '<div id="cf-browser-verification">Checking</div>')],
  ["Imperva", page("", "Request unsuccessful. Incapsula incident ID: 7-0")],
  ["DDoS-Guard", page("DDOS-GUARD", "<h1>Checking your browser</h1>")],
  [
    "DDoS-Guard",
    page("shop.example", '<script src="/.well-known/ddos-guard/js-challenge/index.js"></script>'),
  ],
  [
    "testcookie",
    '<html><body><script type="text/javascript" src="/aes.js" ></script><script>function toNumbers(d){}var a=toNumbers("f6");document.cookie="__test="+toHex(slowAES.decrypt(c,2,a,b))+"; path=/"; location.href="https://shop.example/?i=1";</script><noscript>This site requires Javascript to work</noscript></body></html>',
  ],
  [
    "Imunify360",
    page(
      "One moment, please...",
      '<h1>Please wait while your request is being verified...</h1><form id="wsidchk-form" action="/z0f"></form>',
    ),
  ],
  ["Imunify360", page("One moment, please...", "<h1>Your request is being verified</h1>")],
  [
    "Imunify360",
    '{"message": "Access denied by Imunify360 bot-protection. IPs used for automation should be whitelisted"}',
  ],
  [
    "go-away",
    page("Checking", '<meta http-equiv="refresh" content="1; url=/?__goaway_challenge=meta">'),
  ],
  [
    "SafeLine",
    '<html><head><title id="slg-title"></title></head><body><div id="slg-box"></div></body></html>',
  ],
  ["SafeLine", page("", "<script>SafeLineChallenge('3f', {level: 1})</script>")],
  ["StackPath", page("Site verification", '<script src="/sbbi/?sbbpg=sbbShell&g=1"></script>')],
  ["Reblaze", page("", '<script>window.rbzns = {seed: "3f"}; winsocks();</script>')],
  ["BitNinja", page("Visitor anti-robot validation", "<p>Security check</p>")],
  ["CrowdSec", page("CrowdSec Captcha", "<form></form>")],
  [
    "Wordfence",
    page("Your access to this site has been limited", "<p>Generated by Wordfence at 10:00</p>"),
  ],
  ["ModSecurity", page("Not Acceptable!", "<p>This error was generated by Mod_Security.</p>")],
  ["Qrator", page("", '<script src="/__qrator/qauth_utm_v2.js"></script>')],
  ["ArvanCloud", page("", "<script>document.cookie = '__arcsjs=' + hash</script>")],
  ["Alibaba Cloud WAF", "<html><script>var arg1='3F';setCookie('acw_sc__v2', x);</script></html>"],
  ["EdgeOne", "<html><script>document.cookie = 'EO_Bot_Ssid=' + t;</script></html>"],
  [
    "cookie check",
    "<html><script>document.cookie='js=1; path=/';location.reload();</script></html>",
  ],
  [
    "cookie check",
    '<script>document.cookie="v=" + f() + ";path=/"; window.location.href = window.location.href;</script>',
  ],
];
