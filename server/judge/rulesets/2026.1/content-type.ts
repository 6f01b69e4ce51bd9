import type { Headers } from "../../../evidence/exchange.ts";
import { headerValues } from "./page.ts";

export interface ContentType {
  /** `text/html`, lower-cased; empty when the header is missing. */
  readonly essence: string;
  /** The label of the charset parameter, lower-cased; null without one. */
  readonly charset: string | null;
}

/** The value of a charset parameter, without the quotes that it may begin or end with. */
function findLabel(parameter: string): string | undefined {
  const [, value] = /^charset=([^]*)$/i.exec(parameter.trim()) ?? [];
  const label = value?.trimStart().replace(/^"/, "").replace(/"$/, "");
  return label?.includes('"') ? undefined : label;
}

/** Reads Content-Type (MIME Sniffing, 4.4); of several headers the last counts (Fetch, 2.2.2). */
export function readContentType(headers: Headers): ContentType {
  const [essence = "", ...parameters] = (headerValues(headers, "content-type").at(-1) ?? "").split(
    ";",
  );
  const charset = parameters.map(findLabel).find((label) => label !== undefined);
  return { essence: essence.trim().toLowerCase(), charset: charset?.toLowerCase() ?? null };
}

/** The name of the encoding that a label stands for (Encoding, 4.2), such as `utf-8`; undefined for no label. */
export function findEncoding(label: string): string | undefined {
  try {
    return new TextDecoder(label).encoding;
  } catch {
    return undefined;
  }
}
