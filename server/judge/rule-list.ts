import type { Rule } from "./rule.ts";
import { brokenAssets } from "./rules/assets.ts";
import { cacheAssets, cacheHtml } from "./rules/caching.ts";
import { cookieSecure, cookieSession } from "./rules/cookies.ts";
import { cors } from "./rules/cors.ts";
import { csp } from "./rules/csp.ts";
import { framing } from "./rules/framing.ts";
import { disclosure, isolation, nosniff, permissions, referrer } from "./rules/header-hygiene.ts";
import { validity } from "./rules/header-validity.ts";
import { credentials } from "./rules/credentials.ts";
import { files } from "./rules/files.ts";
import { hsts } from "./rules/hsts.ts";
import { basics } from "./rules/html-basics.ts";
import { content, imageAlt } from "./rules/html-content.ts";
import { charset, doctype, lang } from "./rules/html-document.ts";
import { description, title, viewport } from "./rules/html-head.ts";
import { indexable } from "./rules/indexable.ts";
import { connect, dns, status } from "./rules/reach-connection.ts";
import { leak } from "./rules/leak.ts";
import { html } from "./rules/reach-page.ts";
import { softNotFound } from "./rules/soft-not-found.ts";
import { redirectChain } from "./rules/redirect-chain.ts";
import { redirectDomain } from "./rules/redirect-domain.ts";
import { redirectHost } from "./rules/redirect-host.ts";
import { redirectPermanent, redirectToHttps } from "./rules/redirect-https.ts";
import { internalLinks, leftovers, mixedContent } from "./rules/page-references.ts";
import { placeholders } from "./rules/placeholders.ts";
import { robotsFile } from "./rules/robots-file.ts";
import { canonical, social } from "./rules/sharing.ts";
import { sharedCookie } from "./rules/shared-cookies.ts";
import { compression, firstByte, http2, weight } from "./rules/speed.ts";
import { standIn } from "./rules/stand-in.ts";
import { thirdParty } from "./rules/third-party.ts";
import { chain } from "./rules/tls-chain.ts";
import { expiry } from "./rules/tls-expiry.ts";
import { hostname } from "./rules/tls-hostname.ts";
import { intermediate } from "./rules/tls-intermediate.ts";
import { strength, versions } from "./rules/tls-strength.ts";

/** Every rule there is. */
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
  basics,
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
  social,
  robotsFile,
  brokenAssets,
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
