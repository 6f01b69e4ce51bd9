import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Fields } from "../../db/drafts.ts";

export const FORM = "application/x-www-form-urlencoded";

/** The fields of a form. One that is given twice has its last value. */
function readFields(text: string): Fields {
  return Object.fromEntries(new URLSearchParams(text));
}

/** Makes routes take forms, and nothing else. */
export function acceptForms(door: FastifyInstance): void {
  door.removeAllContentTypeParsers();
  door.addContentTypeParser(FORM, { parseAs: "string" }, (_request, text, done) =>
    done(null, readFields(String(text))),
  );
}

/** What was typed into the form of a request; no fields if it has no body. */
export function fieldsOf({ body }: Pick<FastifyRequest, "body">): Fields {
  return (body ?? {}) as Fields;
}

/** What a form shows: what was typed, and what is wrong with it, by the names of its fields. */
export interface Filled {
  readonly values: Fields;
  readonly problems: Readonly<Record<string, string>>;
}

export const EMPTY: Filled = { values: {}, problems: {} };
