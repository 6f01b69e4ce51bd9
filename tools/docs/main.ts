import { mkdir, writeFile } from "node:fs/promises";
import { PAGES } from "./pages.ts";

await mkdir(new URL("../../docs/schemas/", import.meta.url), { recursive: true });
for (const [path, render] of Object.entries(PAGES))
  await writeFile(new URL(`../../${path}`, import.meta.url), await render());
