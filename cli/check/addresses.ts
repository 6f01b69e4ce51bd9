import type { Checked } from "./checked.ts";
import type { ReportedFinding } from "../../shared/report/reported.ts";

const PLAIN_PATH = /^\/[\w./-]*(?:\?[\w=&.-]*)?(?:#[\w.-]*)?$/;
const ALL_RULES = "/docs/rules";

/** The address of a finding's documentation, on the server that was asked. */
export function docsUrlOf({ docsUrl }: ReportedFinding, baseUrl: URL): string {
  return new URL(`.${PLAIN_PATH.test(docsUrl) ? docsUrl : ALL_RULES}`, baseUrl).href;
}

/** The page's URL as the server gives it; where there is no check, as typed, without its secrets. */
export function urlOf(checked: Checked): string {
  if ("check" in checked) return checked.check.url;
  if (!URL.canParse(checked.url)) return checked.url;
  const url = new URL(checked.url);
  url.username = "";
  url.password = "";
  for (const name of new Set(url.searchParams.keys())) url.searchParams.set(name, "***");
  return url.href;
}
