import type { Topic } from "./topic.ts";
import { COOKIES } from "./topics/cookies.ts";
import { CORP } from "./topics/corp.ts";
import { CORS } from "./topics/cors.ts";
import { CSP } from "./topics/csp.ts";
import { FRAMING } from "./topics/framing.ts";
import { HSTS } from "./topics/hsts.ts";
import { NOSNIFF } from "./topics/nosniff.ts";
import { REFERRER } from "./topics/referrer.ts";

/** Every header that is compared, in the order of docs/compared.md. */
export const TOPICS: readonly Topic[] = [
  HSTS,
  CSP,
  FRAMING,
  NOSNIFF,
  REFERRER,
  COOKIES,
  CORS,
  CORP,
];
