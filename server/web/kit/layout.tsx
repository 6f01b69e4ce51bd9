import { Button } from "./components.tsx";
import { createContext, type ComponentChildren } from "preact";
import { useContext } from "preact/hooks";
import type { Text } from "../../../shared/language.ts";
import { Form } from "./fields.tsx";
import { T, useSay, type Wording } from "./reader.tsx";

const WORDS = {
  pages: { fr: "Pages", en: "Pages" },
  first: { fr: "Première page", en: "First page" },
  previous: { fr: "Page précédente", en: "Previous page" },
  next: { fr: "Page suivante", en: "Next page" },
  cancel: { fr: "Annuler", en: "Cancel" },
};

interface SectionProps {
  id: string;
  title: Wording;
  children: ComponentChildren;
}

const HeadingId = createContext<string | undefined>(undefined);

/** A part of a page, with its heading, which its tables are named by. */
export function Section({ id, title, children }: SectionProps) {
  return (
    <section aria-labelledby={id}>
      <h2 id={id}>
        <T text={title} />
      </h2>
      <HeadingId.Provider value={id}>{children}</HeadingId.Provider>
    </section>
  );
}

interface FactListProps {
  facts: readonly (readonly [name: Text, value: ComponentChildren])[];
}

/** Names and values; a fact without a value is left out. */
export function FactList({ facts }: FactListProps) {
  return (
    <dl>
      {facts.map(
        ([name, value]) =>
          value && (
            <>
              <dt>
                <T text={name} />
              </dt>
              <dd>{value}</dd>
            </>
          ),
      )}
    </dl>
  );
}

interface TabsProps {
  label: Wording;
  tabs: readonly { href: string; label: Wording; isCurrent: boolean }[];
}

/** Leads to the pages beside this one. */
export function Tabs({ label, tabs }: TabsProps) {
  const say = useSay();
  return (
    <nav class="tabs" aria-label={say(label)}>
      {tabs.map(({ href, label: name, isCurrent }) => (
        <a key={href} href={href} aria-current={isCurrent ? "page" : undefined}>
          <T text={name} />
        </a>
      ))}
    </nav>
  );
}

/** Stands where a list has nothing to show: says so, and what to do next. */
export function Empty({ children }: { children: ComponentChildren }) {
  return <div class="empty">{children}</div>;
}

interface PagerProps {
  /** The address of the first page; undefined on it, and where there is a way to the page before. */
  first?: string | undefined;
  /** The address of the page before; undefined on the first one. */
  previous?: string | undefined;
  /** The address of the next page; undefined on the last one. */
  next: string | undefined;
}

/** Leads through the pages of a list. */
export function Pager({ first, previous, next }: PagerProps) {
  const say = useSay();
  if ([first, previous, next].every((one) => one === undefined)) return null;
  return (
    <nav class="pager" aria-label={say(WORDS.pages)}>
      {first !== undefined && (
        <a href={first}>
          <T text={WORDS.first} />
        </a>
      )}
      {previous !== undefined && (
        <a href={previous} rel="prev">
          <T text={WORDS.previous} />
        </a>
      )}
      {next !== undefined && (
        <a href={next} rel="next">
          <T text={WORDS.next} />
        </a>
      )}
    </nav>
  );
}

export interface QuestionProps {
  title: Wording;
  /** What the step does, and what is lost. */
  consequence: Wording;
  /** The path that the answer is posted to. */
  action: string;
  /** The button, and what it acts on. */
  button: Text;
  name: Wording;
  /** The page that the link beside the button leads back to. */
  back: string;
  /** Fields, such as one for the password. */
  children?: ComponentChildren;
}

/** The question before a step that loses something or cannot be taken back. */
export function Question(props: QuestionProps) {
  const { title, consequence, action, button, name, back, children } = props;
  return (
    <>
      <h1>
        <T text={title} />
      </h1>
      <p class="lead">
        <T text={consequence} />
      </p>
      <Form action={action}>
        {children}
        <p class="actions">
          <Button label={button} on={name} tone="danger" />
          <a href={back}>
            <T text={WORDS.cancel} />
          </a>
        </p>
      </Form>
    </>
  );
}

/** A heading; with `href`, it leads to the table sorted by its column, and `sorted` says how it is now. */
export interface TableHead {
  text: Wording;
  href?: string;
  sorted?: "ascending" | "descending" | undefined;
}

interface TableProps {
  /** What the table is of, where no heading says it. */
  label?: Wording;
  /** The id of the heading that says it; that of the section by default. */
  labelledBy?: string | undefined;
  /** The headings; the first column names its row. One without a text has buttons. */
  head: readonly (Wording | TableHead)[];
  /** The columns of figures, counted from 0. */
  figures?: readonly number[];
  rows: readonly { key: string; cells: readonly ComponentChildren[] }[];
  /** What stands in place of a table without rows. */
  empty?: Wording | undefined;
}

/** Rows of things. On a narrow page each row is a block, whose cells name their columns. */
export function Table(props: TableProps) {
  const { label, labelledBy, head, figures = [], rows, empty } = props;
  const say = useSay();
  const headingId = useContext(HeadingId);
  if (rows.length === 0)
    return empty ? (
      <p>
        <T text={empty} />
      </p>
    ) : null;
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
      aria-labelledby={label ? undefined : (labelledBy ?? headingId)}
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
