import type { Rule } from "../../rule.ts";
import { brokenAssets } from "./rules/assets.ts";
import { cacheAssets, cacheHtml } from "./rules/caching.ts";
import { cookieSecure, cookieSession } from "./rules/cookies.ts";
import { cors } from "./rules/cors.ts";
import { csp } from "./rules/csp.ts";
import { framing } from "./rules/framing.ts";
import { disclosure, isolation, nosniff, permissions, referrer } from "./rules/header-hygiene.ts";
import { validity } from "./rules/header-validity.ts";
import { hsts } from "./rules/hsts.ts";
import { content, imageAlt } from "./rules/html-content.ts";
import { charset, doctype, lang } from "./rules/html-document.ts";
import { description, title, viewport } from "./rules/html-head.ts";
import { indexable } from "./rules/indexable.ts";
import { connect, dns, status } from "./rules/reach-connection.ts";
import { html, leak, softNotFound } from "./rules/reach-page.ts";
import { redirectChain } from "./rules/redirect-chain.ts";
import { redirectHost } from "./rules/redirect-host.ts";
import { redirectPermanent, redirectToHttps } from "./rules/redirect-https.ts";
import { internalLinks, leftovers, mixedContent } from "./rules/page-references.ts";
import { robotsFile } from "./rules/robots-file.ts";
import { canonical, social } from "./rules/sharing.ts";
import { compression, firstByte, http2, weight } from "./rules/speed.ts";
import { chain } from "./rules/tls-chain.ts";
import { expiry } from "./rules/tls-expiry.ts";
import { hostname } from "./rules/tls-hostname.ts";
import { strength, versions } from "./rules/tls-strength.ts";

/** Every rule there is. */
export const RULES: readonly Rule[] = [
  dns,
  connect,
  status,
  html,
  softNotFound,
  leak,
  chain,
  hostname,
  expiry,
  versions,
  strength,
  redirectToHttps,
  redirectChain,
  redirectPermanent,
  redirectHost,
  hsts,
  csp,
  framing,
  nosniff,
  referrer,
  disclosure,
  validity,
  permissions,
  isolation,
  cookieSecure,
  cookieSession,
  cors,
  doctype,
  charset,
  lang,
  title,
  description,
  viewport,
  content,
  imageAlt,
  indexable,
  canonical,
  social,
  robotsFile,
  brokenAssets,
  mixedContent,
  leftovers,
  internalLinks,
  compression,
  cacheHtml,
  cacheAssets,
  weight,
  firstByte,
  http2,
];
