import type { Answer } from "../../evidence/exchange.ts";
import { headerValues } from "../../evidence/page.ts";

/**
 * Whether a storage bucket says that it has no such file: Amazon S3 answers 403 to whoever may not list what it has
 * (GetObject, "Permissions"). A 403 of the CDN before it may be meant for robots.
 */
export function isMissingInBucket({
  status,
  headers,
}: Pick<Answer, "headers"> & { readonly status: number | null }): boolean {
  return status === 403 && headerValues(headers, "server").some((name) => name === "AmazonS3");
}
