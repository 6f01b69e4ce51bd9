import { promisify } from "node:util";
import { brotliCompress, brotliDecompress, constants } from "node:zlib";
import * as z from "zod";
import { LANGUAGES } from "../../../shared/language.ts";
import { Evidence, EVIDENCE_VERSION } from "./evidence.ts";
import type { Headers, Tls } from "./exchange.ts";

const compress = promisify(brotliCompress);
const decompress = promisify(brotliDecompress);

const Judged = z.object({ ruleset: z.string(), language: z.enum(LANGUAGES) });

export const EvidenceFile = Evidence.extend({ judged: Judged.optional() });
export type EvidenceFile = z.infer<typeof EvidenceFile>;

export function packEvidence(
  evidence: Evidence,
  { ruleset, language }: z.infer<typeof Judged>,
): Promise<Buffer> {
  const file: EvidenceFile = { ...evidence, judged: { ruleset, language } };
  return compress(JSON.stringify(file), { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } });
}

export async function unpackText(packed: Uint8Array): Promise<string> {
  return (await decompress(packed)).toString("utf8");
}

const OtherVersion = z.object({ version: z.int().refine((one) => one !== EVIDENCE_VERSION) });

export function isOutdated(evidence: unknown): boolean {
  return OtherVersion.safeParse(evidence).success;
}

/** Undefined for evidence of another version. Throws for anything that `packEvidence` did not write. */
export async function unpackEvidence(packed: Uint8Array): Promise<EvidenceFile | undefined> {
  const evidence: unknown = JSON.parse(await unpackText(packed));
  return isOutdated(evidence) ? undefined : EvidenceFile.parse(evidence);
}

/** The URLs are masked, as in all evidence. */
export interface PageAnswers {
  readonly hops: readonly { readonly url: string; readonly status: number }[];
  readonly headers: Headers;
  readonly cookies: readonly string[];
  readonly tls: Tls | null;
}

export function describePageAnswers({ page: { hops, tls } }: Pick<Evidence, "page">): PageAnswers {
  const isCookie = ([name]: Headers[number]) => name === "set-cookie";
  return {
    hops: hops.map(({ url, status }) => ({ url, status })),
    headers: hops.at(-1)?.headers.filter((header) => !isCookie(header)) ?? [],
    cookies: hops.flatMap(({ headers }) => headers.filter(isCookie).map(([, line]) => line)),
    tls,
  };
}

/** Undefined for evidence of another version. */
export async function unpackPageAnswers(packed: Uint8Array): Promise<PageAnswers | undefined> {
  const evidence: unknown = JSON.parse(await unpackText(packed));
  if (isOutdated(evidence)) return undefined;
  return describePageAnswers(EvidenceFile.pick({ page: true }).parse(evidence));
}
