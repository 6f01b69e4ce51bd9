import type { FastifyInstance, FastifyRequest } from "fastify";
import { say } from "../../../shared/report/words.ts";
import type { Language, Text } from "../../base/language.ts";

/** The most fields that any form has. */
const MAX_FIELDS = 100;

export const FORM = "application/x-www-form-urlencoded";

/** The longest form: a thousand addresses of pages. */
export const MAX_FORM_BYTES = 131_072;

/** What was typed into a form, by the names of its fields. */
export type Fields = Readonly<Record<string, string>>;

/** The fields of a form. A field that is given twice has no value, so that no two readers can disagree about it. */
function readFields(text: string): Fields {
  const fields = new Map<string, string>();
  const repeated = new Set<string>();
  const first = text.split("&", MAX_FIELDS).join("&");
  for (const [name, value] of new URLSearchParams(first)) {
    if (fields.has(name)) repeated.add(name);
    fields.set(name, value);
  }
  return Object.fromEntries([...fields].filter(([name]) => !repeated.has(name)));
}

/** Makes routes take forms, besides what they take already. */
export function acceptForms(door: FastifyInstance): void {
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

/** A form that was refused: what is wrong with it, by the names of its fields. */
export interface Refused {
  status: number;
  problems: Readonly<Record<string, Text>>;
}

export const refuse = (problems: Refused["problems"], status = 422): Refused => ({
  status,
  problems,
});

/** The form as it is shown again. */
export function inWords({ problems }: Refused, values: Fields, language: Language): Filled {
  const said = Object.entries(problems).map(([name, text]) => [name, say(text, language)] as const);
  return { values, problems: Object.fromEntries(said) };
}
