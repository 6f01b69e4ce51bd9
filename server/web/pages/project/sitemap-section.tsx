import { isLookupLimit } from "../../../checks/lookups.ts";
import { oneLine } from "../../../base/syntax/text.ts";
import { shortenUrl } from "../../../base/syntax/url.ts";
import { readSitemap, sitemapOf, type Sitemap } from "../../../projects/sitemap.ts";
import { Button } from "../../kit/components.tsx";
import { AddressField, Checkboxes, Form } from "../../kit/fields.tsx";
import type { Deps } from "../../../deps.ts";
import { describeRefusal } from "../../../base/errors.ts";
import { describeWait } from "../../kit/time.tsx";
import { refuse, type Refusals } from "../../kit/forms.ts";
import { FlashMessage } from "../../kit/flash-messages.tsx";
import { Section } from "../../kit/layout.tsx";
import {
  pathOfSettings,
  type AddProjectForm,
  type RefusedSettings,
  type SettingsProps,
} from "./settings-tabs.ts";
import {
  describeSitemap,
  describeSitemapFailure,
  PROBLEMS,
  SITEMAP,
  tooManyNames,
} from "./settings-words.ts";

/** The limit for fields in a form; more would also make the page heavy. */
const MOST_SHOWN = 100;
const MOST_CHARACTERS = 20_000;
const LONGEST_NAMED = 100;

function takeFitting(pages: readonly string[]): string[] {
  let left = MOST_CHARACTERS;
  return pages.slice(0, MOST_SHOWN).filter((page) => (left -= page.length) >= 0);
}

interface FoundProps {
  found: Sitemap;
  project: { id: string; url: string };
}

function SitemapPages({ found, project: { id, url } }: FoundProps) {
  const shown = takeFitting(found.pages);
  return (
    <>
      <FlashMessage said={describeSitemap(found, shown.length)} />
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

export function SitemapSection({ settings, sitemap }: SettingsProps) {
  return (
    <Section id="import" title={SITEMAP.title}>
      <Form action={`${pathOfSettings(settings.id, "urls")}/sitemap#done`} isOnce>
        <AddressField
          name="sitemap"
          label={SITEMAP.address}
          value={sitemap?.address ?? sitemapOf(settings.url)}
          hint={SITEMAP.hint}
        >
          <Button label={SITEMAP.read} tone="second" />
        </AddressField>
      </Form>
      {sitemap && <SitemapPages found={sitemap} project={settings} />}
    </Section>
  );
}

const REFUSALS: Refusals = {
  url_refused: (why) => ({ sitemap: describeRefusal(why) }),
  busy: { sitemap: PROBLEMS.busy },
  too_often: (why) => ({
    sitemap: isLookupLimit(why) ? tooManyNames(why) : describeWait(why.retryAfterSeconds),
  }),
};

export const addSitemapForm = (addForm: AddProjectForm, deps: Deps) =>
  addForm(
    "/sitemap",
    async ({ actor, project, fields: { sitemap: typed = "" } }): Promise<RefusedSettings> => {
      const sitemap = await readSitemap(deps, actor, project.id, typed);
      return "pages" in sitemap
        ? { status: 200, problems: {}, values: { sitemap: sitemap.address }, sitemap }
        : refuse({ sitemap: describeSitemapFailure(sitemap) });
    },
    { refusals: REFUSALS },
  );
