import { createHash } from "node:crypto";
import type { FileFacts } from "../../evidence/html.ts";
import { findStrongest, spellHash } from "../../evidence/source-hash.ts";
import type { Content } from "../../net/content.ts";
import { Slice } from "../../net/slice.ts";
import { redactUrl } from "../privacy/redact.ts";
import { findDevelopmentBuild, findPrivateUrls } from "./script-text.ts";
import { findPlainUrls } from "./style-text.ts";
import { findCredentialsIn } from "./credentials-in.ts";

const MAX_MAP_LENGTH = 500;
const SOURCE_MAP = /(?:\/\/|\/\*)[#@] ?sourceMappingURL=([^\s*'"]{1,400})/;

export interface FileInput extends Pick<Content, "bytes" | "wireBytes" | "state"> {
  integrity: string | null;
  isStyle: boolean;
  /** Whether the site itself serves the file; another's is not searched. */
  isOwn: boolean;
  /** The text that the page shows. */
  readShown: () => string;
  /** Aborts at the check's deadline, at which reading ends. */
  signal: AbortSignal;
}

/** The facts of a script or style sheet, in slices and in linear time until the deadline; null if it could not be decoded. */
export async function readFile(input: FileInput): Promise<FileFacts | null> {
  const { bytes, wireBytes, state, integrity, isOwn, isStyle, readShown, signal } = input;
  if (state === "unsupported" || state === "undecodable") return null;
  const slice = new Slice(signal);
  const isWhole = state === "whole";
  // All that is looked for is ASCII, and a text of one byte a character is searched faster.
  const text = isOwn ? bytes.toString("latin1") : "";
  return {
    isWhole,
    wireBytes,
    integrityMatches: isWhole ? compareDigest(bytes, integrity) : null,
    credentials: await findCredentialsIn(text, readShown, slice),
    privateUrls: isStyle ? [] : await findPrivateUrls(text, slice),
    plainUrls: isStyle ? await findPlainUrls(text, slice) : [],
    developmentBuild: isStyle ? null : findDevelopmentBuild(text),
    sourceMap: isWhole ? findSourceMap(text) : null,
  };
}

/** Where the last line says that the source map is. */
function findSourceMap(text: string): string | null {
  const [, map = ""] = SOURCE_MAP.exec(text.slice(-MAX_MAP_LENGTH)) ?? [];
  return map === "" || map.startsWith("data:") ? null : redactUrl(map);
}

/** Whether one of the strongest digests is the file's; null if browsers know none of them. */
function compareDigest(bytes: Buffer, integrity: string | null): boolean | null {
  const [algorithm, digests] = findStrongest(integrity) ?? [];
  if (!algorithm || !digests) return null;
  const own = createHash(algorithm).update(bytes).digest("base64");
  return digests.includes(spellHash(algorithm, own));
}
