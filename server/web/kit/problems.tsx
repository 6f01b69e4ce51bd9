import { createContext, type ComponentChildren } from "preact";
import { renderToString } from "preact-render-to-string";
import type { Text } from "../../../shared/language.ts";
import { T, ReaderContext, type PageReader } from "./reader.tsx";

/** A field that was refused, by its id and its label. */
interface Problem {
  readonly id: string;
  readonly label: string;
}

const Found = createContext<Problem[]>([]);

/** Stands at a field that was refused: so the whole page knows of it. */
export const FieldProblem = (problem: Problem) => (
  <Found.Consumer>
    {(found) => {
      found.push(problem);
      return null;
    }}
  </Found.Consumer>
);

const ERROR: Text = { fr: "Erreur :", en: "Error:" };

const countOf = (count: number): Text =>
  count === 1
    ? { fr: "1 problème :", en: "1 problem:" }
    : { fr: `${count} problèmes :`, en: `${count} problems:` };

/** How many fields of the page were refused, with what leads to each. */
function Summary({ found }: { found: readonly Problem[] }) {
  return (
    <p class="notice bad">
      <T text={countOf(found.length)} />{" "}
      {found.map(({ id, label }, index) => (
        <>
          {index > 0 && ", "}
          <a href={`#${id}`}>{label}</a>
        </>
      ))}
    </p>
  );
}

/**
 * The HTML of a page's content, and its title. If fields of it were refused, it begins with how many, and both say so: every
 * form of every page is told so by its fields alone.
 */
export function renderContent(
  children: ComponentChildren,
  title: string,
  reader: PageReader,
): { html: string; title: string } {
  const found: Problem[] = [];
  const render = (content: ComponentChildren) =>
    renderToString(<ReaderContext.Provider value={reader}>{content}</ReaderContext.Provider>);
  const html = render(<Found.Provider value={found}>{children}</Found.Provider>);
  if (found.length === 0) return { html, title };
  const summary = render(<Summary found={found} />);
  return { html: summary + html, title: `${reader.say(ERROR)} ${title}` };
}

/** Gives the focus to the field that was refused, or else to what was done: so it is seen, and read out. */
export const FOCUS_SCRIPT =
  '(document.querySelector("[aria-invalid]") ?? document.getElementById("done"))?.focus();';
