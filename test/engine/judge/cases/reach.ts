import { DEBUG_HEADERS } from "../../../../server/engine/evidence/debug-headers.ts";
import {
  all,
  body,
  failWith,
  header,
  html,
  lastHop,
  refuseDns,
  refuseHttp1,
  refuseRedirect,
} from "./page-edits.ts";
import { cases, each } from "./rule-case.ts";

export const REACH_CASES = cases({
  "reach.dns": {
    fail: { "the name does not exist": refuseDns },
    not_applicable: { "an address in place of a name": (e) => void (e.dns.kind = "literal") },
    pass: { "a public address": () => {} },
  },
  "reach.connect": {
    fail: {
      "no answer and no reason": (e) => (e.page.hops = []),
      "the page's own timeout": failWith("deadline", "timeout"),
      ...each(
        ["ERR_HEAD_NUL", "ERR_HEAD_SIZE", "ERR_LENGTHS", "ERR_LOCATIONS", "HTTPParserError"],
        (code) => [`a response that no browser shows: ${code}`, failWith("response", code)],
      ),
    },
    unknown: {
      "a visit that had to be given up": failWith("check", "hung"),
      "a NUL byte that browsers do not see over HTTP/2": failWith("http1", "ERR_HEAD_NUL"),
    },
    pass: {
      "a server of HTTP/2 alone is up": refuseHttp1,
      "505, and HTTP/2 is offered": failWith("http1", "HTTP_505"),
      "a redirect that browsers refuse": refuseRedirect("ERR_LOCATIONS"),
      "an answer": () => {},
    },
  },
  "reach.status": {
    fail: {
      "a status that does not have three digits": lastHop({ status: 0 }),
      "a redirect without a Location": lastHop({ status: 301 }),
      "403 of a bucket that lacks it": lastHop({ status: 403, headers: [["server", "AmazonS3"]] }),
      "403 of a host that has stopped the app": all(
        lastHop({ status: 403 }),
        html({ text: "Error 403 - This web app is stopped." }),
      ),
      "406, also for a browser": all(
        lastHop({ status: 406 }),
        ({ page }) => void (page.browserStatus = 406),
      ),
    },
    unknown: {
      "403 of a CDN": lastHop({ status: 403, headers: [["server", "CloudFront"]] }),
      ...each([451, 999], (code) => [`${code}, for this visitor`, lastHop({ status: code })]),
      "406 by which a filter names itself": lastHop({
        status: 406,
        headers: [["server", "Apache mod_security"]],
      }),
      "406, but not for a browser": all(
        lastHop({ status: 406 }),
        ({ page }) => void (page.browserStatus = 200),
      ),
      ...each(["challenge", "captcha"], (action) => [
        `a gatekeeper's ${action} with 202`,
        lastHop({ status: 202, headers: [["x-amzn-waf-action", action]] }),
      ]),
      "a challenge page with 503": all(lastHop({ status: 503 }), body({ challenge: "Cloudflare" })),
    },
    pass: {
      "204": lastHop({ status: 204 }),
      "202 that a gatekeeper let through": lastHop({
        status: 202,
        headers: [["x-amzn-waf-action", "allow"]],
      }),
    },
  },
  "reach.leak": {
    fail: {
      ...each([...DEBUG_HEADERS.keys()], (name) => [
        `a header of a debugger: ${name}`,
        header(name, ""),
      ]),
      "a debugger's header on the answer to an unknown path": (e) =>
        e.notFound.headers.push(["x-debug-token-link", ""]),
    },
    pass: { "a header with a number of its own": header("x-debug-id", "7") },
  },
});
