import { setImmediate as nextTurn } from "node:timers/promises";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { AppError, type ErrorCode, type ErrorParameters } from "../../base/errors.ts";
import type { Text } from "../../../shared/language.ts";

/** The most fields that any form has. */
const MAX_FIELDS = 100;

export const FORM = "application/x-www-form-urlencoded";

/** What was typed into a form, by the names of its fields. */
export type Fields = Readonly<Record<string, string>>;

const SLICE_LENGTH = 16_384;
/** The longest character is written as four escapes. */
const MAX_CHARACTER_LENGTH = 12;

/** False within an escape, or a character of several. */
const mayCut = (text: string, at: number) =>
  !/%.?$/.test(text.slice(at - 2, at)) &&
  !/^(?:%[89ab]|[\uDC00-\uDFFF])/i.test(text.slice(at, at + 2));

/** Decodes a name or a value in slices, between which other requests have their turn. */
async function decode(text: string): Promise<string> {
  let decoded = "";
  for (let from = 0, to = 0; from < text.length; from = to) {
    to = from + SLICE_LENGTH;
    const last = to + MAX_CHARACTER_LENGTH;
    while (to < last && !mayCut(text, to)) to++;
    decoded += new URLSearchParams(`=${text.slice(from, to)}`).get("") ?? "";
    if (to < text.length) await nextTurn();
  }
  return decoded;
}

/** The fields of a form. A field that is given twice has no value, so that no two readers can disagree about it. */
export async function readFields(text: string): Promise<Fields> {
  const fields = new Map<string, string>();
  const repeated = new Set<string>();
  for (const pair of text.split("&", MAX_FIELDS).filter(Boolean)) {
    const [given = ""] = pair.split("=", 1);
    const name = await decode(given);
    if (fields.has(name)) repeated.add(name);
    fields.set(name, await decode(pair.slice(given.length + 1)));
  }
  return Object.fromEntries([...fields].filter(([name]) => !repeated.has(name)));
}

/** Makes routes take forms, besides what they take already. */
export function acceptForms(door: FastifyInstance): void {
  door.addContentTypeParser(FORM, { parseAs: "string" }, (_request: unknown, text: string) =>
    readFields(text),
  );
}

/** What was typed into the form of a request; no fields if it has no body. */
export function fieldsOf({ body }: Pick<FastifyRequest, "body">): Fields {
  return (body ?? {}) as Fields;
}

/** What was typed into a form, by the path that the form is sent to, and what is wrong with it, by the names of its fields. */
export interface FormInput {
  readonly action?: string;
  readonly values: Fields;
  readonly problems: Readonly<Record<string, Text>>;
}

export const NO_INPUT: FormInput = { values: {}, problems: {} };

/** A form that was refused: what is wrong with it, by the names of its fields. */
export interface Refusal {
  status: number;
  problems: FormInput["problems"];
  /** The form that says so; by default the one that was sent. */
  action?: string;
  /** What it shows; by default all that was typed. */
  values?: Fields;
}

export const refuse = (problems: Refusal["problems"], status = 422): Refusal => ({
  status,
  problems,
});

/** What a form says of the errors of its verb, by their codes: what is wrong, by the names of its fields. */
export type Refusals = {
  readonly [Code in ErrorCode]?:
    | Refusal["problems"]
    | ((parameters: ErrorParameters[Code]) => Refusal["problems"] | undefined);
};

const STATUSES: Readonly<Partial<Record<ErrorCode, number>>> = { too_often: 429, busy: 503 };

/** The form as an error refuses it. Throws an error that it says nothing of. */
export function refuseBy(refusals: Refusals, error: unknown): Refusal {
  if (!(error instanceof AppError)) throw error;
  const { code, parameters }: AppError = error;
  const said = refusals[code];
  const problems = typeof said === "function" ? said(parameters as never) : said;
  if (problems === undefined) throw error;
  return refuse(problems, STATUSES[code]);
}

/** What a page's form shows that was refused. */
export const inputOf = (request: FastifyRequest, refused: Refusal): FormInput => ({
  action: refused.action ?? request.url,
  values: refused.values ?? fieldsOf(request),
  problems: refused.problems,
});

/** Answers HEAD at each address that is registered for GET from here on: the same head, and no page. */
export function answerHead(door: FastifyInstance): void {
  door.addHook("onRoute", (route) => {
    if (route.method === "GET") door.route({ ...route, method: "HEAD", url: route.routePath });
  });
}
