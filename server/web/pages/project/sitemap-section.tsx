import { useSay } from "../../kit/reader.tsx";
import { oneLine } from "../../../base/syntax/one-line.ts";
import { shortenUrl } from "../../../base/syntax/url.ts";
import { sitemapOf, type Sitemap } from "../../../projects/sitemap.ts";
import { AddressField, Checkboxes } from "../../kit/fields.tsx";
import { Form } from "../../kit/form.tsx";
import { Did } from "../../kit/did.tsx";
import { Section } from "../../kit/layout.tsx";
import { pathOfSettings, type SettingsProps } from "./settings-forms.ts";
import { describeFound, SITEMAP } from "./settings-words.ts";

/** As many as a form may have fields, and as a light page holds. */
const MOST_SHOWN = 100;
const MOST_CHARACTERS = 20_000;
const LONGEST_NAMED = 100;

/** The first pages, as far as they fit. */
function firstOf(pages: readonly string[]): string[] {
  let left = MOST_CHARACTERS;
  return pages.slice(0, MOST_SHOWN).filter((page) => (left -= page.length) >= 0);
}

interface FoundProps {
  found: Sitemap;
  project: { id: string; url: string };
}

function Found({ found, project: { id, url } }: FoundProps) {
  const shown = firstOf(found.pages);
  return (
    <>
      <Did said={describeFound(found, shown.length)} />
      {shown.length > 0 && (
        <Form action={pathOfSettings(id, "urls")} submit={SITEMAP.watch}>
          <Checkboxes
            name="pages"
            label={SITEMAP.pages}
            boxes={shown.map((page, index) => ({
              name: `page${index}`,
              value: page,
              label: oneLine(shortenUrl(page, url), LONGEST_NAMED),
              isTicked: true,
            }))}
          />
        </Form>
      )}
    </>
  );
}

/** Adds URLs that the site's sitemap lists: those that are ticked. */
export function SitemapSection({ settings, sitemap }: SettingsProps) {
  const say = useSay();
  return (
    <Section id="import" title={SITEMAP.title}>
      <Form action={`${pathOfSettings(settings.id, "urls")}/sitemap#did`} isOnce>
        <AddressField
          name="sitemap"
          label={SITEMAP.address}
          value={sitemap?.address ?? sitemapOf(settings.url)}
          hint={SITEMAP.hint}
        >
          <button type="submit" class="second">
            {say(SITEMAP.read)}
          </button>
        </AddressField>
      </Form>
      {sitemap && <Found found={sitemap} project={settings} />}
    </Section>
  );
}
