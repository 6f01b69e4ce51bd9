import { CategoryId } from "../../../../shared/check.ts";
import { CATEGORIES, say } from "../../../../shared/report/words.ts";
import type { Text } from "../../../base/language.ts";
import { AddressField, Notice } from "../../kit/components.tsx";
import { Did } from "../../kit/did.tsx";
import { renderDocument, type Reader, type Site } from "../../kit/document.tsx";
import { SCAN_SCRIPT } from "./scan-script.ts";
import { HOME } from "./scan-words.ts";

export interface HomePageOptions extends Reader {
  site: Site;
  /** True after a report was deleted. */
  isDeleted?: boolean;
  /** What was typed into the field. */
  typed?: string;
  /** What is wrong with what was typed. */
  problem?: Text;
  /** Why a scan could not be started, whatever was typed. */
  refusal?: Text;
}

/** The page of the public scan: one field. */
export function renderHomePage(options: HomePageOptions): string {
  const { language, person, path, site, isDeleted = false, typed = "", problem, refusal } = options;
  const isRefused = problem !== undefined || refusal !== undefined;
  return renderDocument({
    language,
    person,
    path,
    title: say(HOME.title, language),
    description: say(HOME.description, language),
    site,
    isIndexed: !isRefused,
    script: SCAN_SCRIPT,
    children: (
      <>
        {isDeleted && <Did said={HOME.deleted} language={language} />}
        <h1>{say(HOME.title, language)}</h1>
        <p class="lead">{say(HOME.lead, language)}</p>
        {refusal && (
          <Notice tone="warn">
            <p role="alert">{say(refusal, language)}</p>
          </Notice>
        )}
        <form id="scan" method="post" action="/scan">
          <input type="hidden" name="typed" value="1" />
          <AddressField
            name="url"
            label={say(HOME.field, language)}
            value={typed}
            placeholder="example.com"
            hint={say(HOME.hint, language)}
            problem={problem && say(problem, language)}
          >
            <button type="submit">{say(HOME.button, language)}</button>
          </AddressField>
        </form>
        <h2>{say(HOME.looks, language)}</h2>
        <ul class="looks">
          {CategoryId.options.map((id) => (
            <li key={id}>
              <a href={`/docs/rules#category-${id}`}>{say(CATEGORIES[id], language)}</a>
            </li>
          ))}
        </ul>
      </>
    ),
  });
}
