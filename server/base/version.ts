import { createRequire } from "node:module";
import * as z from "zod";

const Manifest = z.object({ version: z.string() });

export function getVersion(): string {
  return Manifest.parse(createRequire(import.meta.url)("#manifest")).version;
}
