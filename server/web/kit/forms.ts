import type { FastifyInstance, FastifyRequest } from "fastify";
import { AppError, type ErrorCode, type ErrorParameters } from "../../base/errors.ts";
import type { Text } from "../../base/language.ts";

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

/** What was typed into a form, by the path that the form is sent to, and what is wrong with it, by the names of its fields. */
export interface Typed {
  readonly action?: string;
  readonly values: Fields;
  readonly problems: Readonly<Record<string, Text>>;
}

export const NOTHING_TYPED: Typed = { values: {}, problems: {} };

/** A form that was refused: what is wrong with it, by the names of its fields. */
export interface Refused {
  status: number;
  problems: Typed["problems"];
  /** The form that says so; by default the one that was sent. */
  action?: string;
  /** What it shows; by default all that was typed. */
  values?: Fields;
}

export const refuse = (problems: Refused["problems"], status = 422): Refused => ({
  status,
  problems,
});

/** What a form says of the errors of its verb, by their codes: what is wrong, by the names of its fields. */
export type Refusals = {
  readonly [Code in ErrorCode]?:
    | Refused["problems"]
    | ((parameters: ErrorParameters[Code]) => Refused["problems"] | undefined);
};

const STATUSES: Readonly<Partial<Record<ErrorCode, number>>> = { too_often: 429, busy: 503 };

/** The form as an error refuses it. Throws an error that it says nothing of. */
export function refuseBy(refusals: Refusals, error: unknown): Refused {
  if (!(error instanceof AppError)) throw error;
  const { code, parameters }: AppError = error;
  const said = refusals[code];
  const problems = typeof said === "function" ? said(parameters as never) : said;
  if (problems === undefined) throw error;
  return refuse(problems, STATUSES[code]);
}

/** What a page's form shows that was refused. */
export const typedInto = (request: FastifyRequest, refused: Refused): Typed => ({
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
