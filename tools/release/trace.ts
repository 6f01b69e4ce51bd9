/* `npx tsx tools/release/trace.ts < LINES` prints the lines of an exit 70 with positions in the sources instead of the bundle. */
import { readFile } from "node:fs/promises";
import { SourceMap, type SourceMapPayload } from "node:module";
import { text } from "node:stream/consumers";

const MAP = new URL("../../dist/shipscore.cjs.map", import.meta.url);
const map = new SourceMap(JSON.parse(await readFile(MAP, "utf8")) as SourceMapPayload);

function findSource(place: string, line: string, column: string): string {
  const entry = map.findEntry(Number(line) - 1, Number(column) - 1);
  if (!("originalSource" in entry)) return place;
  const source = entry.originalSource.replace(/^(\.\.\/)+/, "");
  return `${source}:${entry.originalLine + 1}:${entry.originalColumn + 1}`;
}

const lines = await text(process.stdin);
process.stdout.write(lines.replace(/[^\s()]*\/shipscore\.cjs:(\d+):(\d+)/g, findSource));
