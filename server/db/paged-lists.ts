import { fragment, type Fragment } from "./driver/fragment.ts";

/** `times` lists the columns to convert to dates, such as `since closedAt`. */
export function asList(select: Fragment, times = ""): Fragment {
  const rows = fragment`to_json(array(select to_json(listed) from (${select}) listed))`;
  return times === ""
    ? rows
    : fragment`json_build_object('$times', ${times}::text, 'rows', ${rows})`;
}

export interface ListChoice {
  /** A text that each row must contain, case-insensitive; empty for all rows. */
  q: string;
  state: string | undefined;
  verdict: string | undefined;
  /** A name of `ListSource.orders`. */
  sort: string;
  isDescending: boolean;
  /** From 1 on; a number after the last page means the last. */
  page: number;
  limit: number;
}

/** `total` counts the rows of all pages. */
export interface ListPart<Row> {
  total: number;
  rows: readonly Row[];
}

export interface ListSource {
  /** All rows; has the columns `state` and `verdict` if the list can be filtered by them. */
  select: Fragment;
  /** The text of a row that `q` searches. */
  text: Fragment;
  /** Rows without a value come last. */
  orders: Readonly<Record<string, Fragment>>;
  tie: Fragment;
  times: string;
}

const isWanted = (column: Fragment, wanted: string | undefined) =>
  wanted === undefined ? fragment`true` : fragment`${column} = ${wanted}`;

export function selectPart(
  { select, text, orders, tie, times }: ListSource,
  choice: ListChoice,
): Fragment {
  const { q, sort, isDescending, page, limit } = choice;
  const direction = isDescending ? fragment`desc` : fragment`asc`;
  const isFound = q === "" ? fragment`true` : fragment`strpos(lower(${text}), lower(${q})) > 0`;
  return fragment`(
    with matching as materialized (
      select * from (${select}) listed
      where ${isFound} and ${isWanted(fragment`state`, choice.state)} and ${isWanted(fragment`verdict`, choice.verdict)}
    )
    select json_build_object('total', count(*), 'rows', ${asList(
      fragment`
      select * from matching order by ${orders[sort] ?? fragment`null::text`} ${direction} nulls last, ${tie} limit ${limit}::int
      offset (select least(${(page - 1) * limit}::bigint, greatest(0, (count(*) - 1) / ${limit}::int * ${limit}::int)) from matching)`,
      times,
    )})
    from matching)`;
}
