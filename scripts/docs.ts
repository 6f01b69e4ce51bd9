import { writeFile } from "node:fs/promises";
import { PAGES } from "./docs/pages.ts";

for (const [name, render] of Object.entries(PAGES))
  await writeFile(new URL(`../docs/${name}`, import.meta.url), render());
