import { promisify } from "node:util";
import { brotliCompress, constants } from "node:zlib";
import type { Evidence } from "../probe/evidence.ts";

const compress = promisify(brotliCompress);

/** Evidence as it is stored with its check: JSON under brotli. */
export function packEvidence(evidence: Evidence): Promise<Buffer> {
  return compress(JSON.stringify(evidence), { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } });
}
