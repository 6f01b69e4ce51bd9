import type { ComponentChildren } from "preact";
import { useSay, type Wording } from "./reader.tsx";

/** A heading; with `href`, it leads to the table sorted by its column, and `sorted` says how it is now. */
export interface TableHead {
  text: Wording;
  href?: string;
  sorted?: "ascending" | "descending" | undefined;
}

interface TableProps {
  /** What the table is of; not read where `labelledBy` names the heading above it. */
  label?: Wording;
  labelledBy?: string;
  /** The headings; the first column names its row. One without a text has buttons. */
  head: readonly (Wording | TableHead)[];
  /** The columns of figures, counted from 0. */
  figures?: readonly number[];
  rows: readonly { key: string; cells: readonly ComponentChildren[] }[];
}

/** Rows of things. On a narrow page each row is a block, whose cells name their columns. */
export function Table({ label, labelledBy, head, figures = [], rows }: TableProps) {
  const say = useSay();
  const heads = head.map((one): TableHead & { text: string } =>
    typeof one === "object" && "text" in one ? { ...one, text: say(one.text) } : { text: say(one) },
  );
  const classOf = (column: number) =>
    heads[column]?.text === "" ? "acts" : figures.includes(column) ? "number" : undefined;
  return (
    <table
      class="things"
      role="table"
      aria-label={label && say(label)}
      aria-labelledby={labelledBy}
    >
      <thead role="rowgroup">
        <tr role="row">
          {heads.map(({ text, href, sorted }, column) =>
            text === "" ? (
              <td role="cell" />
            ) : (
              <th scope="col" role="columnheader" class={classOf(column)} aria-sort={sorted}>
                {href === undefined ? text : <a href={href}>{text}</a>}
              </th>
            ),
          )}
        </tr>
      </thead>
      <tbody role="rowgroup">
        {rows.map(({ key, cells: [name, ...cells] }) => (
          <tr role="row" key={key}>
            <th scope="row" role="rowheader">
              {name}
            </th>
            {cells.map((cell, index) => (
              <td
                role="cell"
                class={classOf(index + 1)}
                data-label={heads[index + 1]?.text || undefined}
              >
                {cell}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
