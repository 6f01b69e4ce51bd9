import type { ReportedFinding } from "./reported.ts";
import { isUrl } from "../url.ts";

const PLAIN_PATH = /^\/[\w./-]*(?:\?[\w=&.-]*)?(?:#[\w.-]*)?$/;
const ALL_RULES = "/docs/rules";
const PATH_PARAMETER = /;([^;=/]*)=[^;/]*/g;

export function findDocsUrl({ docsUrl }: ReportedFinding, docsBase: URL | null) {
  const path = PLAIN_PATH.test(docsUrl) ? docsUrl : ALL_RULES;
  return docsBase ? new URL(`.${path}`, docsBase).href : undefined;
}

function maskParameter(parameter: string): string {
  const end = parameter.indexOf("=");
  return end < 0 ? parameter && "***" : `${parameter.slice(0, end)}=***`;
}

/** Replaces each value of the query by `***`. */
export function withoutSecrets(address: string): string {
  if (!isUrl(address)) return address.replace(/[?#].*/s, "").replace(/\/\/[^/]*@/, "//");
  const url = new URL(address);
  const { href } = url;
  url.username = "";
  url.password = "";
  url.hash = "";
  url.search = url.search.slice(1).split("&").map(maskParameter).join("&");
  url.pathname = url.pathname.replace(PATH_PARAMETER, ";$1=***");
  return url.href === href ? address : url.href;
}
