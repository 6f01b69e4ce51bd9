import { fragment, type Fragment } from "./driver/fragment.ts";

/** In SQL, the rows of a select as one value. `times` names the columns that are read as dates, such as `since closedAt`. */
export function asList(select: Fragment, times = ""): Fragment {
  const rows = fragment`to_json(array(select to_json(listed) from (${select}) listed))`;
  return times === ""
    ? rows
    : fragment`json_build_object('$times', ${times}::text, 'rows', ${rows})`;
}

export interface ListChoice {
  /** What a text of each row contains, in any case; empty for all rows. */
  q: string;
  state: string | undefined;
  verdict: string | undefined;
  /** A name of `ListSource.orders`. */
  sort: string;
  isDescending: boolean;
  /** From 1 on; beyond the last page, the last. */
  page: number;
  limit: number;
}

/** Some rows of a list, and how many are wanted on all pages. */
export interface ListPart<Row> {
  total: number;
  rows: readonly Row[];
}

export interface ListSource {
  /** All its rows; has the columns `state` and `verdict` where these can be chosen. */
  select: Fragment;
  /** The text of a row that is searched. */
  text: Fragment;
  /** What can be sorted by; rows without a value come last. */
  orders: Readonly<Record<string, Fragment>>;
  /** The order of rows that are otherwise alike. */
  tie: Fragment;
  /** The columns that are read as dates (`asList`). */
  times: string;
}

const isWanted = (column: Fragment, wanted: string | undefined) =>
  wanted === undefined ? fragment`true` : fragment`${column} = ${wanted}`;

/** In SQL, the wanted rows of a list as one value, a `ListPart`. */
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
