/*
 * `npm install --prefix tools/compare`, then `npm start --prefix tools/compare`: judges every case with each peer and
 * writes docs/compared.md. Exits with 1 if a disagreement is not settled, a settlement has no disagreement, or Chromium refuses
 * other files than we say.
 */
import { writeFile } from "node:fs/promises";
import { compareChromium } from "./chromium.ts";
import { loadObservatory } from "./observatory.ts";
import { compareTopic, findGaps, judgeWithEvaluator } from "./opinion.ts";
import { loadJar, loadParse5, loadRobotsParser, loadWhatwgMimetype } from "./parsers.ts";
import { describeAll } from "./report.ts";
import { compareSites } from "./sites.ts";
import { writePreloadList } from "./peers.ts";
import type { Judge, Peer } from "./topic.ts";
import { TOPICS } from "./topics.ts";

const REPORT = new URL("../../docs/compared.md", import.meta.url);

async function loadJudges(): Promise<Record<Peer, Judge>> {
  return {
    "MDN HTTP Observatory": await loadObservatory(),
    csp_evaluator: judgeWithEvaluator,
    "tough-cookie": await loadJar(),
    "whatwg-mimetype": await loadWhatwgMimetype(),
    "robots-parser": await loadRobotsParser(),
    parse5: await loadParse5(),
  };
}

writePreloadList();
const judges = await loadJudges();
const comparisons = await Promise.all(
  TOPICS.flatMap((topic) => topic.peers.map((peer) => compareTopic(topic, peer, judges[peer]))),
);
for (const { topic, peer, disagreements } of comparisons)
  process.stdout.write(
    `${topic.title}, ${peer}: ${topic.rows.length - disagreements.length} of ${topic.rows.length} agree\n`,
  );
const gaps = comparisons.flatMap(findGaps);
for (const gap of gaps) process.stdout.write(`${gap}\n`);
if (gaps.length > 0) process.exitCode = 1;
const agreements = await compareChromium();
if ([...agreements.values()].some(({ differing }) => differing.length > 0)) process.exitCode = 1;
const sites = await compareSites();
await writeFile(REPORT, describeAll(comparisons, agreements, sites));
