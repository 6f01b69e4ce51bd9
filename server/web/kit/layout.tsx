import type { ComponentChildren } from "preact";
import { say } from "../../../shared/report/words.ts";
import type { Language, Text } from "../../base/language.ts";

const WORDS = {
  pages: { fr: "Pages", en: "Pages" },
  first: { fr: "Première page", en: "First page" },
  previous: { fr: "Page précédente", en: "Previous page" },
  next: { fr: "Page suivante", en: "Next page" },
  cancel: { fr: "Annuler", en: "Cancel" },
};

interface SectionProps {
  id: string;
  title: string;
  children: ComponentChildren;
}

/** A part of a page, with its heading. */
export function Section({ id, title, children }: SectionProps) {
  return (
    <section aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {children}
    </section>
  );
}

interface FactListProps {
  facts: readonly (readonly [name: Text, value: ComponentChildren])[];
  language: Language;
}

/** Names and values; a fact without a value is left out. */
export function FactList({ facts, language }: FactListProps) {
  return (
    <dl>
      {facts.map(
        ([name, value]) =>
          value && (
            <>
              <dt>{say(name, language)}</dt>
              <dd>{value}</dd>
            </>
          ),
      )}
    </dl>
  );
}

interface TabsProps {
  label: string;
  tabs: readonly { href: string; label: string; isCurrent: boolean }[];
}

/** Leads to the pages beside this one. */
export function Tabs({ label, tabs }: TabsProps) {
  return (
    <nav class="tabs" aria-label={label}>
      {tabs.map(({ href, label: name, isCurrent }) => (
        <a key={href} href={href} aria-current={isCurrent ? "page" : undefined}>
          {name}
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
  language: Language;
}

/** Leads through the pages of a list. */
export function Pager({ first, previous, next, language }: PagerProps) {
  if ([first, previous, next].every((one) => one === undefined)) return null;
  return (
    <nav class="pager" aria-label={say(WORDS.pages, language)}>
      {first !== undefined && <a href={first}>{say(WORDS.first, language)}</a>}
      {previous !== undefined && (
        <a href={previous} rel="prev">
          {say(WORDS.previous, language)}
        </a>
      )}
      {next !== undefined && (
        <a href={next} rel="next">
          {say(WORDS.next, language)}
        </a>
      )}
    </nav>
  );
}

interface QuestionProps {
  title: string;
  /** What the step does, and whether it can be undone. */
  consequence: string;
  /** The path that the answer is posted to. */
  action: string;
  /** The button, and what it acts on. */
  button: string;
  name: string;
  /** The page to go back to. */
  back: string;
  language: Language;
  /** Fields, such as one for the password. */
  children?: ComponentChildren;
}

/** Asks once before a step that cannot be taken back. */
export function Question(props: QuestionProps) {
  const { title, consequence, action, button, name, back, language, children } = props;
  return (
    <>
      <h1>{title}</h1>
      <p class="lead">{consequence}</p>
      <form method="post" action={action}>
        {children}
        <p class="actions">
          <button type="submit" class="danger" aria-label={`${button} ${name}`}>
            {button}
          </button>
          <a href={back}>{say(WORDS.cancel, language)}</a>
        </p>
      </form>
    </>
  );
}
