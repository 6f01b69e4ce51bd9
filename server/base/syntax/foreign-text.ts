import { oneLine } from "./one-line.ts";

const MAX_NAME_LENGTH = 60;
const MAX_LENGTH = 300;

/** Not seen; whoever chose a text may hide nothing in it. */
const UNSEEN = /[\p{Cf}\p{DI}]+/gu;
/** Anything else could become a link to another site, or look like one, or end the quotation that a name stands in. */
const UNSAFE_IN_NAME = /[^\p{L}\p{M}\p{N} '’&()-]+/gu;
const QUOTES = /["\u201C-\u201F\u00AB\u00BB]/g;
/** Where a link, an address or a mention begins or goes on, in whatever way the dot is written. */
const JOINT = /[.。．｡:@](?=\S)/g;
/** Not seen either; behind a joint no program makes a link. */
const BREAK = "\u200B";

/** A name that somebody else chose, as it stands between quotation marks; empty if nothing of it can be shown. */
export const plainName = (name: string): string =>
  oneLine(name.replace(UNSEEN, "").replace(UNSAFE_IN_NAME, " "), MAX_NAME_LENGTH);

/** Text that somebody else chose, on one line, in which no mail program or chat finds a link, a mention or a quotation's end. */
export const defuse = (text: string): string =>
  oneLine(text.replace(UNSEEN, ""), MAX_LENGTH)
    .replace(QUOTES, "'")
    .replace(JOINT, (sign) => `${sign}${BREAK}`);
