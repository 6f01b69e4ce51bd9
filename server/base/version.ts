import { createRequire } from "node:module";
import * as z from "zod";

const Manifest = z.object({ version: z.string() });

/** The version of this package. */
export function getVersion(): string {
  return Manifest.parse(createRequire(import.meta.url)("#manifest")).version;
}
