import type { Checked } from "./checked.ts";
import type { ReportedFinding } from "../../shared/report/reported.ts";
import { findDocsUrl, withoutSecrets } from "../../shared/report/addresses.ts";
import { isUrl } from "../../shared/url.ts";

/** Where a finding is documented: an address, or the command that explains its rule. */
export function docsOf(finding: ReportedFinding, docsBase: URL | null): string {
  return findDocsUrl(finding, docsBase) ?? `shipscore explain ${finding.id}`;
}

export function urlOf(checked: Checked): string {
  return withoutSecrets("check" in checked ? checked.check.url : checked.url);
}

/** Host and path of a URL, with nothing of its parameters: `example.com/blog`. */
export function pathOf(address: string): string {
  if (!isUrl(address)) return withoutSecrets(address);
  const { host, pathname } = new URL(address);
  return host + pathname.replace(/;[^/]*/g, "").replace(/(?<!\/)\/+$/, "");
}
