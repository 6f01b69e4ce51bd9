import { createContext, type ComponentChildren } from "preact";
import { renderToString } from "preact-render-to-string";
import type { Text } from "../../../shared/language.ts";
import { describeQuantity, type Noun } from "../../../shared/report/words.ts";
import { T, ReaderContext, type PageReader } from "./reader.tsx";

interface Problem {
  readonly id: string;
  readonly label: string;
}

const Found = createContext<Problem[]>([]);

export const FieldProblem = (problem: Problem) => (
  <Found.Consumer>
    {(found) => {
      found.push(problem);
      return null;
    }}
  </Found.Consumer>
);

const ERROR: Text = { fr: "Erreur :", en: "Error:" };

const PROBLEM: Noun = { fr: ["problème", "problèmes"], en: ["problem", "problems"] };

const describeProblemCount = (count: number): Text => ({
  fr: `${describeQuantity(count, PROBLEM, "fr")} :`,
  en: `${describeQuantity(count, PROBLEM, "en")}:`,
});

function Summary({ found }: { found: readonly Problem[] }) {
  return (
    <p class="notice bad">
      <T text={describeProblemCount(found.length)} />{" "}
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
 * If fields were refused, a summary comes first and the title begins with "Error:". The fields report their problems
 * themselves, so no page has to.
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

/** Screen readers read the focused element: the first refused field, or else the flash message. */
export const FOCUS_SCRIPT =
  '(document.querySelector("[aria-invalid]") ?? document.getElementById("done"))?.focus();';
