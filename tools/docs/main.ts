import { mkdir, writeFile } from "node:fs/promises";
import { RULE_BOOK_PAGES } from "./rule-book.ts";

async function write(pages: Readonly<Record<string, () => string | Promise<string>>>) {
  for (const [path, render] of Object.entries(pages))
    await writeFile(new URL(`../../${path}`, import.meta.url), await render());
}

await mkdir(new URL("../../docs/schemas/", import.meta.url), { recursive: true });
// The module of the manual page reads these files when it is imported, so they are written first.
await write(RULE_BOOK_PAGES);
const { PAGES } = await import("./pages.ts");
await write(PAGES);
