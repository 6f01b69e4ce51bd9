import { createRequire } from "node:module";
import * as z from "zod";
import { fileURLToPath } from "node:url";

const Manifest = z.object({ version: z.string() });

export function getVersion(): string {
  return Manifest.parse(createRequire(import.meta.url)("#manifest")).version;
}

/** This file and the bundle with it (dist/program) are both two folders below the root, so one path serves both. */
const findBuilt = (name: string): string =>
  fileURLToPath(new URL(`../../dist/program/${name}`, import.meta.url));

export const findProgram = (name: "database-program" | "thread-program"): string =>
  findBuilt(`${name}.js`);

/** The HTML of the documents that are pages, by name and language (`tools/build/documents.js`). */
export const DOCUMENTS_FILE = findBuilt("documents.json");
