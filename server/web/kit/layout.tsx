import type { ComponentChildren } from "preact";
import type { Text } from "../../base/language.ts";
import { Form } from "./form.tsx";
import { useSay, type Wording } from "./reader.tsx";

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

/** A part of a page, with its heading. */
export function Section({ id, title, children }: SectionProps) {
  const say = useSay();
  return (
    <section aria-labelledby={id}>
      <h2 id={id}>{say(title)}</h2>
      {children}
    </section>
  );
}

interface FactListProps {
  facts: readonly (readonly [name: Text, value: ComponentChildren])[];
}

/** Names and values; a fact without a value is left out. */
export function FactList({ facts }: FactListProps) {
  const say = useSay();
  return (
    <dl>
      {facts.map(
        ([name, value]) =>
          value && (
            <>
              <dt>{say(name)}</dt>
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
          {say(name)}
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
      {first !== undefined && <a href={first}>{say(WORDS.first)}</a>}
      {previous !== undefined && (
        <a href={previous} rel="prev">
          {say(WORDS.previous)}
        </a>
      )}
      {next !== undefined && (
        <a href={next} rel="next">
          {say(WORDS.next)}
        </a>
      )}
    </nav>
  );
}

interface QuestionProps {
  title: Wording;
  /** What the step does, and whether it can be undone. */
  consequence: Text;
  /** The path that the answer is posted to. */
  action: string;
  /** The button, and what it acts on. */
  button: Text;
  name: Wording;
  /** The page to go back to. */
  back: string;
  /** Fields, such as one for the password. */
  children?: ComponentChildren;
}

/** Asks once before a step that cannot be taken back. */
export function Question(props: QuestionProps) {
  const { title, consequence, action, button, name, back, children } = props;
  const say = useSay();
  return (
    <>
      <h1>{say(title)}</h1>
      <p class="lead">{say(consequence)}</p>
      <Form action={action}>
        {children}
        <p class="actions">
          <button type="submit" class="danger" aria-label={`${say(button)} ${say(name)}`}>
            {say(button)}
          </button>
          <a href={back}>{say(WORDS.cancel)}</a>
        </p>
      </Form>
    </>
  );
}
