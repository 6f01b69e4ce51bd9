import type { Answer } from "../../evidence/exchange.ts";
import { headerValues } from "../../evidence/accessors.ts";

/** Stores whose files are hidden from whoever may not list them. */
const STORES = /^(?:AmazonS3|UploadServer|MinIO|WasabiS3\b.*)$/;

/**
 * Whether a storage bucket says that it has no such file: Amazon S3 and the like answer 403 to whoever may not list what they
 * have (GetObject, "Permissions"), through a CDN too. A 403 of the CDN's own may be meant for robots.
 */
export function isMissingInBucket({
  status,
  headers,
}: Pick<Answer, "headers"> & { readonly status: number | null }): boolean {
  if (status !== 403) return false;
  const isOfStore = headerValues(headers, "server").some((name) => STORES.test(name));
  return isOfStore || headerValues(headers, "x-amz-request-id").length > 0;
}
