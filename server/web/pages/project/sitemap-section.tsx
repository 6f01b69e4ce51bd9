import { say } from "../../../../shared/report/words.ts";
import type { Language } from "../../../base/language.ts";
import { oneLine } from "../../../base/syntax/one-line.ts";
import { shortenUrl } from "../../../base/syntax/url.ts";
import { sitemapOf, type Sitemap } from "../../../projects/sitemap.ts";
import { AddressField, Checkboxes } from "../../kit/components.tsx";
import { Did } from "../../kit/did.tsx";
import type { Filled } from "../../kit/forms.ts";
import { Section } from "../../kit/layout.tsx";
import { pathOfSettings } from "./settings-forms.ts";
import { describeFound, SITEMAP } from "./settings-words.ts";

/** As many as a form may have fields, and as a light page holds. */
const MOST_SHOWN = 100;
const MOST_CHARACTERS = 20_000;
const LONGEST_NAMED = 100;

interface SitemapProps {
  project: { id: string; url: string };
  filled: Filled;
  /** What was found, if a sitemap has just been read. */
  found: Sitemap | undefined;
  language: Language;
}

/** The first pages, as far as they fit. */
function firstOf(pages: readonly string[]): string[] {
  let left = MOST_CHARACTERS;
  return pages.slice(0, MOST_SHOWN).filter((page) => (left -= page.length) >= 0);
}

function Found({ project: { id, url }, found, language }: SitemapProps & { found: Sitemap }) {
  const shown = firstOf(found.pages);
  return (
    <>
      <Did said={describeFound(found, shown.length)} language={language} />
      {shown.length > 0 && (
        <form method="post" action={pathOfSettings(id, "urls")}>
          <Checkboxes
            name="pages"
            label={say(SITEMAP.pages, language)}
            problem={undefined}
            boxes={shown.map((page, index) => ({
              name: `page${index}`,
              value: page,
              label: oneLine(shortenUrl(page, url), LONGEST_NAMED),
              isTicked: true,
            }))}
          />
          <p class="actions">
            <button type="submit">{say(SITEMAP.watch, language)}</button>
          </p>
        </form>
      )}
    </>
  );
}

/** Adds URLs that the site's sitemap lists: those that are ticked. */
export function SitemapSection(props: SitemapProps) {
  const { project, filled, found, language } = props;
  return (
    <Section id="import" title={say(SITEMAP.title, language)}>
      <form method="post" action={`${pathOfSettings(project.id, "urls")}/sitemap#did`} data-once>
        <AddressField
          name="sitemap"
          label={say(SITEMAP.address, language)}
          value={found?.address ?? filled.values["sitemap"] ?? sitemapOf(project.url)}
          problem={filled.problems["sitemap"]}
          hint={say(SITEMAP.hint, language)}
        >
          <button type="submit" class="second">
            {say(SITEMAP.read, language)}
          </button>
        </AddressField>
      </form>
      {found && <Found {...props} found={found} />}
    </Section>
  );
}
