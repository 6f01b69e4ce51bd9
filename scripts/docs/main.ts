import { mkdir, writeFile } from "node:fs/promises";
import { PAGES } from "./pages.ts";

await mkdir(new URL("../../docs/schemas/", import.meta.url), { recursive: true });
for (const [name, render] of Object.entries(PAGES))
  await writeFile(new URL(`../../docs/${name}`, import.meta.url), await render());
