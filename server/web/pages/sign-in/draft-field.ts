import * as z from "zod";
import type { Draft } from "../../../db/accounts/drafts.ts";
import { readOwnPath } from "../../kit/session/own-path.ts";

const MAX_FIELDS = 50;
const MAX_NAME_LENGTH = 50;

/** The database takes no text with a NUL or half a surrogate pair. */
const Stored = z.string().transform((text) => Buffer.from(text).toString().replaceAll("\0", ""));

const DraftField = z.object({
  action: z.string().refine((text) => readOwnPath(text) === text),
  // Counted before it is looked at one by one: thirty thousand fields would take half a second.
  fields: z
    .unknown()
    .refine((fields) => Object.keys(Object(fields)).length <= MAX_FIELDS)
    .pipe(z.record(z.string().regex(/^\w+$/).max(MAX_NAME_LENGTH), Stored)),
});

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The draft in the sign-in page's field `draft`; undefined if it is empty or that page did not write it. */
export const readDraftField = (text: string | undefined): Draft | undefined =>
  text === undefined ? undefined : DraftField.safeParse(parseJson(text)).data;
