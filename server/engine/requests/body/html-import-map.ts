import { MAX_INTEGRITY } from "./html-attributes.ts";
import { redactUrl } from "../privacy/redact.ts";
import { oneLine } from "../../../base/syntax/one-line.ts";
import { findUrl } from "../../../base/syntax/url.ts";

const MAX_LENGTH = 65_536;
const MAX_FILES = 200;

/** The integrity that an import map gives to modules, by their URLs without secrets (HTML, 8.1.6.1). */
export function readIntegrity(importMap: string, base: URL): ReadonlyMap<string, string> {
  const listed = importMap.length > MAX_LENGTH ? {} : readObject(readJson(importMap)["integrity"]);
  return new Map(
    Object.entries(listed)
      .slice(0, MAX_FILES)
      .flatMap(([address, integrity]) => {
        const url = findUrl(address, base);
        return url && typeof integrity === "string"
          ? [[redactUrl(url), oneLine(integrity, MAX_INTEGRITY)] as const]
          : [];
      }),
  );
}

function readJson(text: string): Record<string, unknown> {
  try {
    return readObject(JSON.parse(text));
  } catch {
    return {};
  }
}

function readObject(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? { ...value } : {};
}
