import { ASSET_CASES } from "./assets.ts";
import { BLOCKED_CASES } from "./blocked.ts";
import { CHAIN_CASES } from "./redirect-chain.ts";
import { COOKIE_CASES } from "./cookies.ts";
import { CREDENTIAL_CASES } from "./credentials.ts";
import { FILE_CASES } from "./files.ts";
import { IDENTITY_CASES } from "./identity.ts";
import { PLACEHOLDER_CASES } from "./placeholders.ts";
import { SHARED_COOKIE_CASES } from "./shared-cookies.ts";
import { THIRD_PARTY_CASES } from "./third-party.ts";
import { HEADER_CASES } from "./headers.ts";
import { HTML_CASES } from "./html.ts";
import { REACH_CASES } from "./reach.ts";
import { REACH_PAGE_CASES } from "./reach-page.ts";
import { REDIRECT_CASES } from "./redirects.ts";
import { SEARCH_CASES } from "./search.ts";
import { SPEED_CASES } from "./speed.ts";
import { TLS_CASES } from "./tls.ts";

/** Every case of every rule. */
export const CASES = [
  ...REACH_CASES,
  ...REACH_PAGE_CASES,
  ...CHAIN_CASES,
  ...TLS_CASES,
  ...REDIRECT_CASES,
  ...HEADER_CASES,
  ...COOKIE_CASES,
  ...HTML_CASES,
  ...SEARCH_CASES,
  ...IDENTITY_CASES,
  ...ASSET_CASES,
  ...BLOCKED_CASES,
  ...SPEED_CASES,
  ...CREDENTIAL_CASES,
  ...FILE_CASES,
  ...PLACEHOLDER_CASES,
  ...SHARED_COOKIE_CASES,
  ...THIRD_PARTY_CASES,
];
