import { Button } from "../components.tsx";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { ComponentChildren } from "preact";
import { Verdict } from "../../../../shared/check.ts";
import { T, useReader, useSay, type Wording } from "../reader.tsx";
import { describeVerdict } from "../../../../shared/report/words.ts";
import type { ListPart } from "../../../db/lists.ts";
import { Field, Select } from "../fields.tsx";
import { Empty, Pager, Table } from "../layout.tsx";
import type { Refused } from "../forms.ts";
import { FORMATS, sendFile } from "../list-file.ts";
import {
  parametersOf,
  pathTo,
  type ListColumn,
  type ListDeclaration,
  type Wanted,
} from "./list-query.ts";
import { sendPage } from "./page.ts";

const WORDS = {
  q: { fr: "Chercher", en: "Search" },
  state: { fr: "État", en: "State" },
  verdict: { fr: "Verdict", en: "Verdict" },
  any: { fr: "Tous", en: "All" },
  filter: { fr: "Filtrer", en: "Filter" },
  none: { fr: "Rien ne correspond.", en: "Nothing matches." },
  all: { fr: "Tout afficher", en: "Show all" },
  files: { fr: "Télécharger :", en: "Download:" },
} as const;

interface ListProps<Row> {
  list: ListDeclaration<Row>;
  wanted: Wanted;
  part: ListPart<Row>;
  /** What stands in place of a list without rows. */
  empty: ComponentChildren;
  /** The path of the page. */
  path: string;
  /** Where the list stands on it, if it does not begin with the list. */
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
      <Field name="q" label={WORDS.q} value={wanted.q} />
      {choices.map(
        ([name, options]) =>
          options.length > 0 && (
            <Select
              key={name}
              name={name}
              label={WORDS[name]}
              value={wanted[name] ?? ""}
              options={[["", WORDS.any], ...options]}
            />
          ),
      )}
      {sort && <input type="hidden" name="sort" value={sort[1]} />}
      <Button label={WORDS.filter} tone="second" />
    </form>
  );
}

/** Leads to the list by this column: the other way round if it is sorted by it, and newest first by time. */
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

/** The rows that are wanted, with what leads to the others. */
function Rows<Row extends { id: string }>(props: ListProps<Row>) {
  const { list, wanted, part, path, anchor = "" } = props;
  const { language } = useReader();
  const last = Math.max(1, Math.ceil(part.total / wanted.limit));
  const page = Math.min(wanted.page, last);
  const before = (page - 1) * wanted.limit;
  const shown = list.columns.filter((column) => column.show !== undefined);
  const figure = (count: number) => count.toLocaleString(language);
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
          <T text={WORDS.files} />{" "}
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

/** A list, below a heading with the id `list`. */
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
            <T text={WORDS.none} />{" "}
            <a href={path + anchor}>
              <T text={WORDS.all} />
            </a>
          </p>
        </Empty>
      )}
    </>
  );
}

/** Keeps the permit of the account's read until a file is sent: its rows are in memory. */
export function keepReadPermit(
  request: FastifyRequest,
  reply: FastifyReply,
  { format }: Wanted,
): void {
  const { endRead } = request;
  if (!format || endRead === undefined) return;
  request.endRead = undefined;
  if (reply.raw.destroyed) endRead();
  else reply.raw.once("close", endRead);
}

interface SentList<Row> extends Pick<ListProps<Row>, "wanted" | "part" | "empty"> {
  title: Wording;
  heading: Wording;
  /** Stands between the heading and the list. */
  lead: ComponentChildren;
  refused?: Refused | undefined;
}

function ListPage<Row extends { id: string }>(props: ListProps<Row> & SentList<Row>) {
  return (
    <>
      <h1 id="list">{useSay()(props.heading)}</h1>
      {props.lead}
      <List {...props} />
    </>
  );
}

/** Sends a list as the page, or as the file, that its request wants. */
export function sendList<Row extends { id: string }>(
  request: FastifyRequest,
  reply: FastifyReply,
  list: ListDeclaration<Row>,
  sent: SentList<Row>,
): FastifyReply {
  const { wanted, part, title, refused } = sent;
  if (wanted.format && list.name)
    return sendFile(reply, wanted.format, list.name, list.columns, part);
  const [path = ""] = request.url.split("?", 1);
  const children = <ListPage {...sent} list={list} path={path} />;
  return sendPage(request, reply, { title, refused, children });
}
