import type { Answer } from "../../evidence/exchange.ts";
import { headerValues } from "../../evidence/page.ts";

/**
 * Whether a storage bucket, or the CDN before it, says that it has no such file: it answers 403 to whoever may not list
 * what it has (Amazon S3, GetObject, "Permissions").
 */
export function isMissingInBucket(
  { status, headers }: Pick<Answer, "headers"> & { readonly status: number | null },
  servers = /^(?:AmazonS3|CloudFront)$/i,
): boolean {
  return status === 403 && headerValues(headers, "server").some((server) => servers.test(server));
}

/** The same of the page itself, for which a CDN's own 403 may be meant for robots alone. */
export const isPageMissingInBucket = (answer: Pick<Answer, "headers" | "status">): boolean =>
  isMissingInBucket(answer, /^AmazonS3$/i);
