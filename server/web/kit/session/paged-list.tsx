import { Readable } from "node:stream";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { ComponentChildren } from "preact";
import { Verdict } from "../../../../shared/check.ts";
import type { ListChoice, ListPart } from "../../../db/paged-lists.ts";
import type { Text } from "../../../../shared/language.ts";
import { parameterOf } from "../request-parameters.ts";
import { Button } from "../components.tsx";
import { T, useReader, useSay, type Wording } from "../reader.tsx";
import { describeCount, describeVerdict } from "../../../../shared/report/words.ts";
import { Field, Select } from "../fields.tsx";
import { Empty, Pager, Table } from "../layout.tsx";
import type { Refusal } from "../forms.ts";
import { sendPage } from "./page.ts";
import { toneOf } from "../../../../shared/report/drawings.tsx";
import { SiteLink } from "../address.tsx";
import { Time } from "../time.tsx";

type CellValue = string | number | boolean | null;

interface FileColumn<Row> {
  readonly name: string;
  value(row: Row): CellValue;
}

const FORMATS = ["csv", "json"] as const;
type Format = (typeof FORMATS)[number];

/**
 * Spreadsheets read the characters after these places as the start of a formula (CSV injection). Some spreadsheets also split
 * lines at a semicolon.
 */
const FORMULA = /(?:^|(?<=;))(?=[=+\-@\t\r\n])/g;
const SPECIAL = /[",\r\n]/;

function writeCell(value: CellValue): string {
  if (typeof value !== "string") return String(value ?? "");
  const text = value.replace(FORMULA, "'");
  return SPECIAL.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function* writeCsv<Row>(columns: readonly FileColumn<Row>[], rows: readonly Row[]) {
  yield `${columns.map(({ name }) => name).join(",")}\r\n`;
  for (const row of rows) yield `${columns.map((one) => writeCell(one.value(row))).join(",")}\r\n`;
}

function* writeJson<Row>(columns: readonly FileColumn<Row>[], rows: readonly Row[], total: number) {
  yield '{"rows":[';
  for (const [index, row] of rows.entries()) {
    const values = Object.fromEntries(columns.map((one) => [one.name, one.value(row)]));
    yield `${index === 0 ? "" : ","}\n${JSON.stringify(values)}`;
  }
  yield `\n],"total":${total}}\n`;
}

function sendFile<Row>(
  reply: FastifyReply,
  format: Format,
  name: string,
  columns: readonly FileColumn<Row>[],
  { rows, total }: { rows: readonly Row[]; total: number },
): FastifyReply {
  const pieces = format === "csv" ? writeCsv(columns, rows) : writeJson(columns, rows, total);
  return reply
    .header("content-disposition", `attachment; filename="shipscore-${name}.${format}"`)
    .type(format === "csv" ? "text/csv; charset=utf-8" : "application/json; charset=utf-8")
    .send(Readable.from(pieces, { objectMode: false }));
}

/** Without `show` the column appears in files only. */
interface ListColumn<Row> extends FileColumn<Row> {
  title?: Text;
  show?(row: Row): ComponentChildren;
  sort?: string;
  isFigure?: boolean;
}

export interface ListDeclaration<Row> {
  name: string | undefined;
  columns: readonly ListColumn<Row>[];
  /** By the values of `?state=`. */
  states?: Readonly<Record<string, Text>>;
  hasVerdicts?: boolean;
  /** For `?sort=`. A leading dash means descending. */
  order: string;
}

const PAGE_ROWS = 36;
const FILE_ROWS = 10_000;
const MAX_Q_LENGTH = 200;

export interface ListQuery extends ListChoice {
  format: Format | undefined;
}

function parametersOf<Row>({ order }: ListDeclaration<Row>, wanted: ListQuery) {
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

export function pathTo<Row>(
  path: string,
  list: ListDeclaration<Row>,
  wanted: ListQuery,
  more: Readonly<Record<string, string>> = {},
): string {
  const query = new URLSearchParams([...parametersOf(list, wanted), ...Object.entries(more)]);
  return query.size === 0 ? path : `${path}?${query}`;
}

export function readListQuery<Row>(request: FastifyRequest, list: ListDeclaration<Row>): ListQuery {
  const read = (name: string) => (parameterOf(request, name) ?? "").replaceAll("\0", "").trim();
  const [state, verdict, requested, page] = ["state", "verdict", "sort", "page"].map(read);
  const sorts = list.columns.flatMap(({ sort }) => sort ?? []);
  const sorted = sorts.includes(requested?.replace(/^-/, "") ?? "")
    ? (requested ?? "")
    : list.order;
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

const LIST_WORDS = {
  q: { fr: "Rechercher", en: "Search" },
  state: { fr: "État", en: "State" },
  verdict: { fr: "Verdict", en: "Verdict" },
  any: { fr: "Tous", en: "All" },
  filter: { fr: "Filtrer", en: "Filter" },
  none: { fr: "Aucun résultat.", en: "No matches." },
  all: { fr: "Tout afficher", en: "Show all" },
  files: { fr: "Télécharger :", en: "Download:" },
} as const;

interface ListProps<Row> {
  list: ListDeclaration<Row>;
  wanted: ListQuery;
  part: ListPart<Row>;
  empty: ComponentChildren;
  path: string;
  anchor?: string;
}

function Filter<Row>({ list, wanted, path, anchor = "" }: ListProps<Row>) {
  const { language } = useReader();
  const { states = {}, hasVerdicts } = list;
  const verdicts = hasVerdicts ? Verdict.options : [];
  const choices = [
    ["state", Object.entries(states)],
    ["verdict", verdicts.map((one) => [one, describeVerdict(one, language)] as const)],
  ] as const;
  const [sort] = parametersOf(list, { ...wanted, q: "", state: "", verdict: "", page: 1 });
  return (
    <form class="filter" method="get" action={path + anchor}>
      <Field name="q" label={LIST_WORDS.q} value={wanted.q} />
      {choices.map(
        ([name, options]) =>
          options.length > 0 && (
            <Select
              key={name}
              name={name}
              label={LIST_WORDS[name]}
              value={wanted[name] ?? ""}
              options={[["", LIST_WORDS.any], ...options]}
            />
          ),
      )}
      {sort && <input type="hidden" name="sort" value={sort[1]} />}
      <Button label={LIST_WORDS.filter} tone="second" />
    </form>
  );
}

/** A second click reverses the order; times start with the newest. */
function headOf<Row>(column: ListColumn<Row>, props: ListProps<Row>) {
  const { list, wanted, path, anchor = "" } = props;
  const text = column.title ?? "";
  const { sort } = column;
  if (sort === undefined) return { text };
  const isSorted = sort === wanted.sort;
  const isDescending = isSorted ? !wanted.isDescending : sort === "at";
  const direction = wanted.isDescending ? ("descending" as const) : ("ascending" as const);
  return {
    text,
    href: pathTo(path, list, { ...wanted, sort, isDescending, page: 1 }) + anchor,
    sorted: isSorted ? direction : undefined,
  };
}

function Rows<Row extends { id: string }>(props: ListProps<Row>) {
  const { list, wanted, part, path, anchor = "" } = props;
  const { language } = useReader();
  const last = Math.max(1, Math.ceil(part.total / wanted.limit));
  const page = Math.min(wanted.page, last);
  const before = (page - 1) * wanted.limit;
  const shown = list.columns.filter((column) => column.show !== undefined);
  const figure = (count: number) => describeCount(count, language);
  const [from, to, total] = [before + 1, before + part.rows.length, part.total].map(figure);
  const range = { fr: `${from} à ${to} sur ${total}`, en: `${from} to ${to} of ${total}` };
  const pathOf = (other: number) =>
    other < 1 || other > last ? undefined : pathTo(path, list, { ...wanted, page: other }) + anchor;
  return (
    <>
      <p class="soft">
        <T text={range} />
      </p>
      <Table
        labelledBy="list"
        head={shown.map((column) => headOf(column, props))}
        figures={shown.flatMap(({ isFigure }, index) => (isFigure ? [index] : []))}
        rows={part.rows.map((row) => ({
          key: row.id,
          cells: shown.map((column) => column.show?.(row)),
        }))}
      />
      <Pager previous={pathOf(page - 1)} next={pathOf(page + 1)} />
      {list.name && (
        <p class="soft no-print">
          <T text={LIST_WORDS.files} />{" "}
          {FORMATS.map((format) => (
            <>
              <a href={pathTo(path, list, { ...wanted, page: 1 }, { format })} download>
                {format.toUpperCase()}
              </a>{" "}
            </>
          ))}
        </p>
      )}
    </>
  );
}

export function List<Row extends { id: string }>(props: ListProps<Row>) {
  const { wanted, part, empty, path, anchor = "" } = props;
  const isNarrowed = wanted.q !== "" || wanted.state !== undefined || wanted.verdict !== undefined;
  if (part.total === 0 && !isNarrowed) return <Empty>{empty}</Empty>;
  return (
    <>
      <Filter {...props} />
      {part.total > 0 ? (
        <Rows {...props} />
      ) : (
        <Empty>
          <p role="status">
            <T text={LIST_WORDS.none} />{" "}
            <a href={path + anchor}>
              <T text={LIST_WORDS.all} />
            </a>
          </p>
        </Empty>
      )}
    </>
  );
}

/** Keeps the account's read permit until a file is sent, because its rows are in memory until then. */
export function keepReadPermit(
  request: FastifyRequest,
  reply: FastifyReply,
  { format }: ListQuery,
): void {
  const { endRead } = request;
  if (!format || endRead === undefined) return;
  request.endRead = undefined;
  if (reply.raw.destroyed) endRead();
  else reply.raw.once("close", endRead);
}

interface ListContent<Row> extends Pick<ListProps<Row>, "wanted" | "part" | "empty"> {
  title: Wording;
  heading: Wording;
  lead: ComponentChildren;
  refused?: Refusal | undefined;
}

function ListPage<Row extends { id: string }>(props: ListProps<Row> & ListContent<Row>) {
  return (
    <>
      <h1 id="list">{useSay()(props.heading)}</h1>
      {props.lead}
      <List {...props} />
    </>
  );
}

export function sendList<Row extends { id: string }>(
  request: FastifyRequest,
  reply: FastifyReply,
  list: ListDeclaration<Row>,
  sent: ListContent<Row>,
): FastifyReply {
  const { wanted, part, title, refused } = sent;
  if (wanted.format && list.name)
    return sendFile(reply, wanted.format, list.name, list.columns, part);
  const [path = ""] = request.url.split("?", 1);
  const children = <ListPage {...sent} list={list} path={path} />;
  return sendPage(request, reply, { title, refused, children });
}

const DASH = "–";

const TITLES = {
  url: { fr: "URL", en: "URL" },
  score: { fr: "Score", en: "Score" },
  verdict: { fr: "Verdict", en: "Verdict" },
} as const;

type Has<Name extends string, Value> = Readonly<Record<Name, Value>>;

export const fileColumn = <Name extends string>(name: Name) => ({
  name,
  value: (row: Has<Name, string | number | null>) => row[name],
});

export const pageColumn = <Name extends string, Row extends Has<Name, string | number | null>>(
  name: Name,
  title: Text,
  show: (row: Row) => ComponentChildren,
) => ({ ...fileColumn(name), title, show });

export const timeColumn = <Name extends string>(name: Name, title: Text, sort?: string) => ({
  name,
  title,
  ...(sort && { sort }),
  value: (row: Has<Name, Date | null>) => row[name]?.toISOString() ?? null,
  show: (row: Has<Name, Date | null>) => (row[name] ? <Time at={row[name]} /> : DASH),
});

/** Links to the row's page, if `pathOf` is set. `within` is the project's URL. */
export const urlColumn = (pathOf?: (id: string) => string, within?: string) => ({
  ...fileColumn("url"),
  title: TITLES.url,
  sort: "address",
  show: ({ id, url }: { id: string; url: string }) => (
    <SiteLink href={pathOf?.(id)} within={within} url={url} />
  ),
});

export const scoreColumn = {
  ...fileColumn("score"),
  title: TITLES.score,
  sort: "score",
  isFigure: true,
  show: (row: { score: number | null }) => row.score ?? DASH,
};

function VerdictCell({ verdict: said }: { verdict: string }) {
  return <span class={toneOf(said)}>{describeVerdict(said, useReader().language)}</span>;
}

export const verdictColumn = pageColumn(
  "verdict",
  TITLES.verdict,
  (row: { verdict: string | null }) => (row.verdict ? <VerdictCell verdict={row.verdict} /> : DASH),
);
