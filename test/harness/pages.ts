import { readHtml } from "../../server/engine/requests/body/html.ts";
import { References } from "../../server/engine/requests/body/html-references.ts";
import { type PageTexts, plainPage } from "../../server/engine/requests/body/page-texts.ts";

/** A page as the probe reads it; a text without a tag is not a page. */
export async function readPageTexts(text: string): Promise<PageTexts> {
  if (!/<[a-z!]/i.test(text)) return plainPage(text);
  const references = new References(new URL("https://example.com/"), () => "public");
  return (await readHtml(text, references)).own;
}
