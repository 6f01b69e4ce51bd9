import { findUrl } from "../../../base/syntax/url.ts";
import type { Reference } from "./html-resources.ts";

const MAX_LENGTH = 65_536;
const MAX_NAMES = 20;
const MAX_NAME_LENGTH = 100;

/** A name that an import map leads to an address over http. */
export interface MappedName {
  readonly name: string;
  readonly url: string;
}

export const toModule = (url: string): Reference => ({
  url,
  kind: "module",
  blocking: false,
  isSample: false,
});

export function readPlainMap(text: string): MappedName[] {
  const map = text.length > MAX_LENGTH ? undefined : readObject(parseJson(text));
  const scopes = Object.values(readObject(map?.["scopes"])).slice(0, MAX_NAMES);
  return [map?.["imports"], ...scopes]
    .flatMap((names) => Object.entries(readObject(names)))
    .flatMap(([name, url]) => {
      const isPlain = typeof url === "string" && findUrl(url)?.protocol === "http:";
      return isPlain && name.length <= MAX_NAME_LENGTH ? [{ name, url }] : [];
    })
    .slice(0, MAX_NAMES);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function readObject(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? { ...value } : {};
}

/** A name that ends with a slash stands for all names that start with it. */
export function isImported(script: string, name: string): boolean {
  const end = name.endsWith("/") ? "" : undefined;
  return ['"', "'"].some((quote) => {
    const at = script.indexOf(`${quote}${name}${end ?? quote}`);
    return at >= 0 && /(?:\bfrom|\bimport)\s{0,20}$/.test(script.slice(Math.max(0, at - 30), at));
  });
}
