import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { ROOT } from "./package.ts";

export interface Image {
  /** Its instructions in order, such as `["USER", "10001:10001"]`. */
  readonly steps: readonly (readonly [word: string, text: string])[];
  readonly get: (word: string) => string[];
  readonly health: string[];
  readonly command: string[];
}

const readArguments = (text = "") => JSON.parse(/\[.*\]$/.exec(text)?.[0] ?? "") as string[];

export async function readImage(): Promise<Image> {
  const text = await readFile(join(ROOT, "Dockerfile"), "utf8");
  const lines = text
    .replaceAll(/^#.*\n/gm, "")
    .replaceAll(/\s*\\\n\s*/g, " ")
    .split("\n")
    .filter(Boolean);
  const last = lines.slice(lines.findLastIndex((line) => line.startsWith("FROM ")));
  const steps = last.map((line) => {
    const [word = "", ...rest] = line.split(" ");
    return [word, rest.join(" ")] as const;
  });
  const get = (wanted: string) => steps.flatMap(([word, step]) => (word === wanted ? [step] : []));
  const command = [get("ENTRYPOINT"), get("CMD")].flatMap(([part]) => readArguments(part));
  return { steps, get, health: readArguments(get("HEALTHCHECK")[0]), command };
}
