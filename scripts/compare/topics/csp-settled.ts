import { settle, type Settlement, type Topic } from "../topic.ts";

const BASE: Settlement = {
  why: "A base element moves the addresses of scripts that a nonce or hash has let in, unless base-uri forbids it; csp_evaluator calls it HIGH too.",
  section: "CSP 3, 6.3.1",
  url: "https://www.w3.org/TR/CSP3/#directive-base-uri",
};
const MIXED: Settlement = {
  why: "A page over https loads no script over http, and the expression stands for https too.",
  section: "Mixed Content, 4.4; CSP 3, 6.7.2.8",
  url: "https://www.w3.org/TR/mixed-content/#should-block-fetch",
};
const SOCKET: Settlement = {
  why: "The scheme of a socket stands for http and https too.",
  section: "CSP 3, 6.7.2.9",
  url: "https://www.w3.org/TR/CSP3/#match-schemes",
};
const NO_BASE: Settlement = {
  why: "A data: address is never the base of a page, whatever base-uri allows.",
  section: "HTML, 4.2.3",
  url: "https://html.spec.whatwg.org/multipage/semantics.html#set-the-frozen-base-url",
};
const EVAL: Settlement = {
  why: "'unsafe-eval' opens no way in for a stranger's script where the page does not compile one itself: it costs us a point, the Observatory a failure.",
  section: "CSP 3, 4.4.1",
  url: "https://www.w3.org/TR/CSP3/#can-compile-strings",
};
const PROOF: Settlement = {
  why: "What is not base64 is no nonce or hash: the expression is ignored, and 'unsafe-inline' holds.",
  section: "CSP 3, 2.3.1 and 6.7.3.2",
  url: "https://www.w3.org/TR/CSP3/#framework-directive-source-list",
};
const NOTHING: Settlement = {
  why: "'strict-dynamic' voids hosts, schemes and 'unsafe-inline'; without a nonce or hash no script is left that may run.",
  section: "CSP 3, 6.7.3.2 and 8.2",
  url: "https://www.w3.org/TR/CSP3/#strict-dynamic-usage",
};
const OBJECTS: Settlement = {
  why: "'strict-dynamic' speaks of scripts alone: for objects, default-src still lets https: in.",
  section: "CSP 3, 8.2",
  url: "https://www.w3.org/TR/CSP3/#strict-dynamic-usage",
};
const ELEMENTS: Settlement = {
  why: "script-src-attr and script-src-elem decide before script-src, and 'unsafe-inline' in them lets inline scripts run.",
  section: "CSP 3, 6.8.3 and 6.8.4",
  url: "https://www.w3.org/TR/CSP3/#directive-fallback-list",
};
const NONE: Settlement = {
  why: "'none' beside another source says nothing.",
  section: "CSP 3, 6.7.2.7",
  url: "https://www.w3.org/TR/CSP3/#match-url-to-source-list",
};
const JSONP: Settlement = {
  why: "The host serves scripts that do as an address tells them (csp_evaluator's list), and so any script runs.",
  section: "CSP 3, 8.2",
  url: "https://www.w3.org/TR/CSP3/#strict-dynamic-usage",
};
const PORT: Settlement = {
  why: "A wildcard host with a port matches every host on it.",
  section: "CSP 3, 6.7.2.10",
  url: "https://www.w3.org/TR/CSP3/#match-hosts",
};
const BOTH: Settlement = {
  why: "Elements and attributes each have a list of their own, and script-src is not asked for.",
  section: "CSP 3, 6.8.3",
  url: "https://www.w3.org/TR/CSP3/#directive-fallback-list",
};
const DATA: Settlement = {
  why: "A data: address brings its own content with it, whoever wrote it; csp_evaluator calls it HIGH too.",
  section: "CSP 3, 6.1.9",
  url: "https://www.w3.org/TR/CSP3/#directive-object-src",
};
const SANDBOX: Settlement = {
  why: "A sandbox without allow-scripts runs no script at all.",
  section: "CSP 3, 6.3.2",
  url: "https://www.w3.org/TR/CSP3/#directive-sandbox",
};
const FONTS: Settlement = {
  why: "A page over https loads no font over http, whatever its policy allows.",
  section: "Mixed Content, 4.4",
  url: "https://www.w3.org/TR/mixed-content/#should-block-fetch",
};
const FIRST: Settlement = {
  why: "Of two directives of one name the first counts; the second is a matter of hdr.valid.",
  section: "CSP 3, 2.2.1",
  url: "https://www.w3.org/TR/CSP3/#parse-serialized-policy",
};
const ASCII: Settlement = {
  why: "A directive that is not ASCII is skipped whole: nothing restrains scripts.",
  section: "CSP 3, 2.2.1",
  url: "https://www.w3.org/TR/CSP3/#parse-serialized-policy",
};
const ALL: Settlement = {
  why: "Every policy is enforced: what one leaves open another may close.",
  section: "CSP 3, 8.1",
  url: "https://www.w3.org/TR/CSP3/#multiple-policies",
};
const EMPTY: Settlement = {
  why: "An empty list of sources matches nothing, as 'none' does.",
  section: "CSP 3, 6.7.2.7",
  url: "https://www.w3.org/TR/CSP3/#match-url-to-source-list",
};
const SELF: Settlement = {
  why: "Where scripts are let in by host, a base element leads them to hosts that are refused.",
  section: "CSP 3, 6.3.1",
  url: "https://www.w3.org/TR/CSP3/#directive-base-uri",
};
const INVALID: Settlement = {
  why: "What is no source expression is ignored, and the rest of the policy holds; csp_evaluator breaks down.",
  section: "CSP 3, 2.3.1",
  url: "https://www.w3.org/TR/CSP3/#framework-directive-source-list",
};

/** What settles each disagreement about Content-Security-Policy. */
export const CSP_SETTLED: Topic["settled"] = {
  "MDN HTTP Observatory": {
    ...settle(MIXED, "`script-src http://cdn.example; object-src 'none'; base-uri 'none'`"),
    ...settle(
      JSONP,
      "`script-src *.com; object-src 'none'; base-uri 'none'`",
      "`script-src https://accounts.google.com; object-src 'none'; base-uri 'none'`",
      "`script-src https://www.google.com; object-src 'none'; base-uri 'none'`",
      "`script-src https://cdnjs.cloudflare.com; object-src 'none'; base-uri 'none'`",
      "`script-src https://www.youtube.com; object-src 'none'; base-uri 'none'`",
    ),
    ...settle(PORT, "`script-src *:*; object-src 'none'; base-uri 'none'`"),
    ...settle(
      SOCKET,
      "`script-src ws:; object-src 'none'; base-uri 'none'`",
      "`script-src wss:; object-src 'none'; base-uri 'none'`",
    ),
    ...settle(NOTHING, "`script-src 'self' 'strict-dynamic'; object-src 'none'; base-uri 'none'`"),
    ...settle(DATA, "`script-src 'self'; object-src data:; base-uri 'none'`"),
    ...settle(ALL, "`default-src 'self', script-src *`"),
    ...settle(
      BASE,
      "`script-src 'nonce-r4nd0mV4lue'; object-src 'none'; base-uri https:`",
      "`script-src 'nonce-r4nd0mV4lue'; object-src 'none'; base-uri *`",
      "`default-src 'nonce-r4nd0mV4lue'`",
    ),

    "a nonce without base-uri": BASE,
    "a nonce with base-uri *": BASE,
    "a nonce and 'unsafe-eval'": EVAL,
    "a nonce that is no nonce, 'unsafe-inline'": PROOF,
    "a hash that is no hash, 'unsafe-inline'": PROOF,
    "strict-dynamic without a nonce": NOTHING,
    "strict-dynamic in default-src, https: for objects": OBJECTS,
    "'unsafe-inline' for attributes only": ELEMENTS,
    "'unsafe-inline' for elements only": ELEMENTS,
    "'unsafe-eval' beside 'self'": EVAL,
    "script-src 'none' and a host with bypasses": NONE,
    "a host with bypasses": JSONP,
    "a host with bypasses, in capitals": JSONP,
    "a host with bypasses, its folder": JSONP,
    "a wildcard over a host with bypasses": JSONP,
    "a CDN of everything": JSONP,
    "script-src *:443": PORT,
    "script-src https://*:*": PORT,
    "elements and attributes, no script-src": BOTH,
    "object-src data:": DATA,
    "sandbox alone": SANDBOX,
    "http: fonts": FONTS,
    "the first of two script-src, strict": FIRST,
    "a directive that is not ASCII": ASCII,
    "two headers that close what each leaves open": ALL,
  },
  csp_evaluator: {
    ...settle(PORT, "`script-src *:*; object-src 'none'; base-uri 'none'`"),
    ...settle(
      SOCKET,
      "`script-src ws:; object-src 'none'; base-uri 'none'`",
      "`script-src wss:; object-src 'none'; base-uri 'none'`",
    ),
    ...settle(NO_BASE, "`script-src 'nonce-r4nd0mV4lue'; object-src 'none'; base-uri data:`"),

    "default-src empty": EMPTY,
    "strict-dynamic in default-src, https: for objects": OBJECTS,
    "object-src empty": EMPTY,
    "script-src 'none' and a host with bypasses": NONE,
    "script-src *:443": PORT,
    "script-src https://*:*": PORT,
    "elements and attributes, no script-src": BOTH,
    "base-uri * beside 'self'": SELF,
    "sandbox alone": SANDBOX,
    "a directive that is not ASCII": ASCII,
    "a source that is no source": INVALID,
    "a bad escape": INVALID,
    "a report address that is no URL": INVALID,
    "two headers that close what each leaves open": ALL,
  },
};
