import type { Answer } from "../../evidence/exchange.ts";
import { headerValues } from "../../evidence/accessors.ts";

/** Stores that hide missing files from clients without the right to list. */
const STORES = /^(?:AmazonS3|UploadServer|MinIO|WasabiS3\b.*)$/;

/**
 * A client that may not list an S3 bucket gets 403 for a missing file (GetObject, "Permissions"), also through a CDN. A
 * 403 from the CDN itself may be meant for robots.
 */
export function isMissingInBucket({
  status,
  headers,
}: Pick<Answer, "headers"> & { readonly status: number | null }): boolean {
  if (status !== 403) return false;
  const isOfStore = headerValues(headers, "server").some((name) => STORES.test(name));
  return isOfStore || headerValues(headers, "x-amz-request-id").length > 0;
}
