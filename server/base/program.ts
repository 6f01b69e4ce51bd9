import { fileURLToPath } from "node:url";

/**
 * The file of a built program that a thread runs. This file and the bundle that it becomes part of (dist/program) are
 * both two folders below the root, so one path serves both.
 */
export const findProgram = (name: "database-program" | "thread-program"): string =>
  fileURLToPath(new URL(`../../dist/program/${name}.js`, import.meta.url));
