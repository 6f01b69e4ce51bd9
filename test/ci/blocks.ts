import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { parse } from "yaml";
import { ROOT } from "../harness/package.ts";

/** A fenced block of a page in docs/; `system` is the heading above it. */
export interface Block {
  readonly system: string;
  readonly language: string;
  readonly text: string;
}

export async function readBlocks(name = "ci.md"): Promise<Block[]> {
  const page = await readFile(join(ROOT, "docs", name), "utf8");
  const sections = page.split(/^##+ /m).slice(1);
  return sections.flatMap((section) => {
    const system = section.split("\n", 1)[0] ?? "";
    const blocks = section.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm);
    return [...blocks].map(([, language = "", text = ""]) => ({ system, language, text }));
  });
}

const COMMAND_KEYS = new Set(["run", "script", "command"]);

function findTexts(value: unknown, isCommand = false): string[] {
  if (typeof value === "string") return isCommand ? [value] : [];
  if (Array.isArray(value)) return value.flatMap((item) => findTexts(item, isCommand));
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, item]) => findTexts(item, COMMAND_KEYS.has(key)));
}

/** The lines that a CI system would give to a shell. */
export function findCommands({ system, language, text }: Block): string[] {
  if (language === "sh") return [text];
  if (language === "groovy")
    return [...text.matchAll(/sh '([^']+)'/g)].map(([, line = ""]) => line);
  if (language === "cron")
    return text
      .trim()
      .split("\n")
      .map((line) => line.split(" ").slice(5).join(" "));
  // Buildkite puts its own variables into a line first, and leaves $$ for the shell.
  return findTexts(parse(text)).map((line) =>
    system === "Buildkite" ? line.replaceAll("$$", "$") : line,
  );
}
