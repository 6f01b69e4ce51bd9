import { setImmediate as nextTurn } from "node:timers/promises";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { AppError, type ErrorCode, type ErrorParameters } from "../../base/errors.ts";
import type { Text } from "../../../shared/language.ts";

const MAX_FIELDS = 100;

export const FORM = "application/x-www-form-urlencoded";

export type Fields = Readonly<Record<string, string>>;

const SLICE_LENGTH = 16_384;
/** In UTF-8 a character has up to four bytes, each escaped as `%XX`. */
const MAX_CHARACTER_LENGTH = 12;

/** False inside an escape, or inside a character of several bytes. */
const mayCut = (text: string, at: number) =>
  !/%.?$/.test(text.slice(at - 2, at)) &&
  !/^(?:%[89ab]|[\uDC00-\uDFFF])/i.test(text.slice(at, at + 2));

/** Decodes in slices, so that the event loop serves other requests between them. */
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

/** A repeated field has no value, so that two readers cannot disagree about it. */
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

export function acceptForms(door: FastifyInstance): void {
  door.addContentTypeParser(FORM, { parseAs: "string" }, (_request: unknown, text: string) =>
    readFields(text),
  );
}

export function fieldsOf({ body }: Pick<FastifyRequest, "body">): Fields {
  return (body ?? {}) as Fields;
}

/** `values` and `problems` are by field name. `action` is the path that the form is sent to. */
export interface FormInput {
  readonly action?: string;
  readonly values: Fields;
  readonly problems: Readonly<Record<string, Text>>;
}

export const NO_INPUT: FormInput = { values: {}, problems: {} };

export interface Refusal {
  status: number;
  problems: FormInput["problems"];
  /** The form that shows the problems. Default: the submitted form. */
  action?: string;
  /** Default: all input of the form. */
  values?: Fields;
}

export const refuse = (problems: Refusal["problems"], status = 422): Refusal => ({
  status,
  problems,
});

export type Refusals = {
  readonly [Code in ErrorCode]?:
    | Refusal["problems"]
    | ((parameters: ErrorParameters[Code]) => Refusal["problems"] | undefined);
};

const STATUSES: Readonly<Partial<Record<ErrorCode, number>>> = { too_often: 429, busy: 503 };

/** Rethrows an error that the form has no text for. */
export function refuseBy(refusals: Refusals, error: unknown): Refusal {
  if (!(error instanceof AppError)) throw error;
  const { code, parameters }: AppError = error;
  const refusal = refusals[code];
  const problems = typeof refusal === "function" ? refusal(parameters as never) : refusal;
  if (problems === undefined) throw error;
  return refuse(problems, STATUSES[code]);
}

export const inputOf = (request: FastifyRequest, refused: Refusal): FormInput => ({
  action: refused.action ?? request.url,
  values: refused.values ?? fieldsOf(request),
  problems: refused.problems,
});

export function answerHead(door: FastifyInstance): void {
  door.addHook("onRoute", (route) => {
    if (route.method === "GET") door.route({ ...route, method: "HEAD", url: route.routePath });
  });
}
