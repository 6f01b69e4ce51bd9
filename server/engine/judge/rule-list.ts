import type { Rule } from "./rule.ts";
import { blocked } from "./rules/asset-blocked.ts";
import { brokenAssets } from "./rules/asset-broken.ts";
import { missingFile } from "./rules/asset-fallback.ts";
import { leftovers } from "./rules/asset-leftover.ts";
import { mixedContent } from "./rules/asset-mixed.ts";
import { thirdParty } from "./rules/asset-third-party.ts";
import { cookieSecure, cookieSession } from "./rules/cookie-attributes.ts";
import { sharedCookie } from "./rules/cookie-shared.ts";
import { cors } from "./rules/cors-credentials.ts";
import { csp } from "./rules/hdr-csp.ts";
import { framing } from "./rules/hdr-framing.ts";
import { hsts } from "./rules/hdr-hsts.ts";
import { disclosure } from "./rules/hdr-disclosure.ts";
import { isolation, nosniff, permissions, referrer } from "./rules/hdr-hygiene.ts";
import { validity } from "./rules/hdr-valid.ts";
import { content, imageAlt } from "./rules/html-content.ts";
import { charset, doctype, lang } from "./rules/html-document.ts";
import { description, title } from "./rules/html-head.ts";
import { viewport } from "./rules/html-viewport.ts";
import { placeholders } from "./rules/html-placeholder.ts";
import { credentials } from "./rules/html-secrets.ts";
import { internalLinks } from "./rules/link-internal.ts";
import { cacheAssets, cacheHtml } from "./rules/perf-cache.ts";
import { files } from "./rules/perf-files.ts";
import { compression, firstByte, http2, weight } from "./rules/perf-speed.ts";
import { connect, dns, status } from "./rules/reach-connection.ts";
import { html } from "./rules/reach-html.ts";
import { leak } from "./rules/reach-leak.ts";
import { standIn } from "./rules/reach-page.ts";
import { softNotFound } from "./rules/reach-soft404.ts";
import { redirectChain } from "./rules/redir-chain.ts";
import { redirectDomain } from "./rules/redir-domain.ts";
import { redirectHost } from "./rules/redir-host.ts";
import { redirectToHttps } from "./rules/redir-https.ts";
import { redirectPermanent } from "./rules/redir-permanent.ts";
import { identity } from "./rules/seo-identity.ts";
import { indexable } from "./rules/seo-indexable.ts";
import { robotsFile } from "./rules/seo-robots.ts";
import { canonical, social } from "./rules/seo-sharing.ts";
import { chain } from "./rules/tls-chain.ts";
import { expiry } from "./rules/tls-expiry.ts";
import { hostname } from "./rules/tls-hostname.ts";
import { intermediate } from "./rules/tls-intermediate.ts";
import { strength, versions } from "./rules/tls-strength.ts";

export const RULES: readonly Rule[] = [
  dns,
  connect,
  status,
  html,
  softNotFound,
  leak,
  standIn,
  chain,
  intermediate,
  hostname,
  expiry,
  versions,
  strength,
  redirectToHttps,
  redirectChain,
  redirectDomain,
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
  sharedCookie,
  cors,
  doctype,
  charset,
  lang,
  title,
  description,
  viewport,
  content,
  imageAlt,
  placeholders,
  credentials,
  indexable,
  canonical,
  identity,
  social,
  robotsFile,
  brokenAssets,
  missingFile,
  blocked,
  mixedContent,
  thirdParty,
  leftovers,
  internalLinks,
  compression,
  cacheHtml,
  cacheAssets,
  weight,
  files,
  firstByte,
  http2,
];
