import { sayError } from "../../shared/error-words.ts";
import type { Text } from "../base/language.ts";
import type { RefusalCode } from "../engine/evidence/failure.ts";
import { oneLine } from "../base/syntax/one-line.ts";

const MAX_HOST_LENGTH = 100;

/** A host as it may be repeated. */
export const shortenHost = (host: string | null): string => oneLine(host ?? "", MAX_HOST_LENGTH);

/** Two sentences: why a URL was refused, and what to do. They repeat only the host of the input, shortened. */
export const describeRefusal = ({ code, host }: { code: RefusalCode; host: string | null }): Text =>
  sayError(`url_${code}`, { host: shortenHost(host) });
