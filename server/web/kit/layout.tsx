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

export function Empty({ children }: { children: ComponentChildren }) {
  return <div class="empty">{children}</div>;
}

interface PagerProps {
  /** Undefined on the first page, and where `previous` is known. */
  first?: string | undefined;
  previous?: string | undefined;
  next: string | undefined;
}

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
  consequence: Wording;
  action: string;
  /** `name` is the item that the button acts on. */
  button: Text;
  name: Wording;
  back: string;
  children?: ComponentChildren;
}

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

export interface TableHead {
  text: Wording;
  href?: string;
  sorted?: "ascending" | "descending" | undefined;
}

interface TableProps {
  /** Needed where no heading labels the table. */
  label?: Wording;
  /** By default the id of the section's heading. */
  labelledBy?: string | undefined;
  /** The first column names its row. A column of buttons has the heading "". */
  head: readonly (Wording | TableHead)[];
  /** The indexes of the columns of figures. */
  figures?: readonly number[];
  rows: readonly { key: string; cells: readonly ComponentChildren[] }[];
  empty?: Wording | undefined;
}

/** On a narrow page each row becomes a block, and its cells name their columns. */
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
