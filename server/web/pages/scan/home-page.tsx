import { CategoryId } from "../../../../shared/check.ts";
import { CATEGORIES } from "../../../../shared/report/words.ts";
import type { Text } from "../../../../shared/language.ts";
import { FlashMessage, FLASH_MESSAGES } from "../../kit/flash-messages.tsx";
import { Notice } from "../../kit/components.tsx";
import { renderDocument, type Site } from "../../kit/document.tsx";
import { AddressField, Form } from "../../kit/fields.tsx";
import { T, type Reader } from "../../kit/reader.tsx";
import { SCAN_SCRIPT } from "./scan-script.ts";
import { HOME } from "./scan-words.ts";

interface HomePageProps {
  isDeleted?: boolean;
  /** A problem that is not about the input, so it belongs to no field. */
  refusal?: Text | undefined;
}

interface HomePageOptions extends HomePageProps {
  reader: Reader;
  site: Site;
}

function HomePage({ isDeleted = false, refusal }: HomePageProps) {
  return (
    <>
      {isDeleted && <FlashMessage said={FLASH_MESSAGES["scan-deleted"]} />}
      <h1>
        <T text={HOME.title} />
      </h1>
      <p class="lead">
        <T text={HOME.lead} />
      </p>
      {refusal && (
        <Notice tone="warn">
          <p role="alert">
            <T text={refusal} />
          </p>
        </Notice>
      )}
      <Form id="scan" action="/scan">
        <input type="hidden" name="typed" value="1" />
        <AddressField name="url" label={HOME.field} placeholder="example.com" hint={HOME.hint}>
          <button type="submit">
            <T text={HOME.button} />
          </button>
        </AddressField>
      </Form>
      <h2>
        <T text={HOME.categories} />
      </h2>
      <ul class="categories-list">
        {CategoryId.options.map((id) => (
          <li key={id}>
            <a href={`/docs/rules#category-${id}`}>
              <T text={CATEGORIES[id]} />
            </a>
          </li>
        ))}
      </ul>
    </>
  );
}

export const renderHomePage = ({ reader, site, ...page }: HomePageOptions): string =>
  renderDocument({
    ...reader,
    title: HOME.title,
    description: HOME.description,
    site,
    isIndexed: reader.typed === undefined,
    script: SCAN_SCRIPT,
    children: <HomePage {...page} />,
  });
