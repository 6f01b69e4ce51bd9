import type { Topic } from "./topic.ts";
import { CONTENT_TYPE } from "./topics/content-type.ts";
import { COOKIES } from "./topics/cookies.ts";
import { CORP } from "./topics/corp.ts";
import { CORS } from "./topics/cors.ts";
import { CSP } from "./topics/csp.ts";
import { DOCTYPE } from "./topics/doctype.ts";
import { FRAMING } from "./topics/framing.ts";
import { HEAD } from "./topics/head.ts";
import { HSTS } from "./topics/hsts.ts";
import { JAR } from "./topics/jar.ts";
import { NOSNIFF } from "./topics/nosniff.ts";
import { REFERRER } from "./topics/referrer.ts";
import { ROBOTS } from "./topics/robots.ts";

/** All comparisons, in the order of docs/compared.md. */
export const TOPICS: readonly Topic[] = [
  HSTS,
  CSP,
  FRAMING,
  NOSNIFF,
  REFERRER,
  COOKIES,
  CORS,
  CORP,
  JAR,
  CONTENT_TYPE,
  ROBOTS,
  DOCTYPE,
  HEAD,
];
