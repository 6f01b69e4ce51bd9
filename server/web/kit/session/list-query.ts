import type { FastifyRequest } from "fastify";
import type { ComponentChildren } from "preact";
import { Verdict } from "../../../../shared/check.ts";
import type { ListChoice } from "../../../db/lists.ts";
import type { Text } from "../../../base/language.ts";
import { parameterOf } from "../asked.ts";
import { FORMATS, type FileColumn, type Format } from "../list-file.ts";

/** A column of a list: of files alone, unless `show` says how a page has it. */
export interface ListColumn<Row> extends FileColumn<Row> {
  title?: Text;
  show?(row: Row): ComponentChildren;
  /** The word of `?sort=` that sorts by it. */
  sort?: string;
  isFigure?: boolean;
}

/** A list as it is declared once, for its page and its files. */
export interface ListDeclaration<Row> {
  /** Of its files; undefined for one that has none. */
  name: string | undefined;
  columns: readonly ListColumn<Row>[];
  /** The words of `?state=`, and how they read. */
  states?: Readonly<Record<string, Text>>;
  hasVerdicts?: boolean;
  /** The order at first: a word of `?sort=`, after a dash where it goes down. */
  order: string;
}

const PAGE_ROWS = 36;
const FILE_ROWS = 10_000;
const MAX_Q_LENGTH = 200;

/** What a request wants of a list. */
export interface Wanted extends ListChoice {
  format: Format | undefined;
}

/** The parameters that differ from what a list shows at first; the page begins anew with each other choice. */
export function parametersOf<Row>({ order }: ListDeclaration<Row>, wanted: Wanted) {
  const { q, state, verdict, sort, isDescending, page } = wanted;
  const sorted = `${isDescending ? "-" : ""}${sort}`;
  const pairs = {
    q,
    state,
    verdict,
    sort: sorted === order ? "" : sorted,
    page: page > 1 ? page : "",
  };
  return Object.entries(pairs).flatMap(([name, value]) => (value ? [[name, String(value)]] : []));
}

/** The address of a list with these rows, from `path` on. */
export function pathTo<Row>(
  path: string,
  list: ListDeclaration<Row>,
  wanted: Wanted,
  more: Readonly<Record<string, string>> = {},
): string {
  const query = new URLSearchParams([...parametersOf(list, wanted), ...Object.entries(more)]);
  return query.size === 0 ? path : `${path}?${query}`;
}

/** What a request wants of a list. Words that are none of the list's are ignored, as on most sites. */
export function readWanted<Row>(request: FastifyRequest, list: ListDeclaration<Row>): Wanted {
  const read = (name: string) => (parameterOf(request, name) ?? "").replaceAll("\0", "").trim();
  const [state, verdict, asked, page] = ["state", "verdict", "sort", "page"].map(read);
  const sorts = list.columns.flatMap(({ sort }) => sort ?? []);
  const sorted = sorts.includes(asked?.replace(/^-/, "") ?? "") ? (asked ?? "") : list.order;
  const format = FORMATS.find((one) => list.name !== undefined && one === read("format"));
  const isPage = /^[1-9]\d{0,5}$/.test(page ?? "") && format === undefined;
  return {
    q: read("q").slice(0, MAX_Q_LENGTH),
    state: Object.keys(list.states ?? {}).find((one) => one === state),
    verdict: Verdict.options.find((one) => list.hasVerdicts && one === verdict),
    sort: sorted.replace(/^-/, ""),
    isDescending: sorted.startsWith("-"),
    page: isPage ? Number(page) : 1,
    limit: format ? FILE_ROWS : PAGE_ROWS,
    format,
  };
}
