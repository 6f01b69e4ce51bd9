import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { use } from "./use.ts";

/** A temporary folder for the tests of a file or `describe`. */
export const useFolder = (): { readonly path: string } =>
  use(async () => {
    const path = await mkdtemp(join(tmpdir(), "sc-"));
    return { path, close: () => rm(path, { recursive: true, force: true }) };
  });
