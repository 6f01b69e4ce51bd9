import { mkdir, writeFile } from "node:fs/promises";
import { installPeers } from "./install.ts";
import { loadObservatory } from "./observatory.ts";
import { compareTopic, findGaps, judgeWithEvaluator } from "./opinion.ts";
import { loadJar, loadParse5, loadRobotsParser, loadWhatwgMimetype } from "./parsers.ts";
import { describeAll } from "./report.ts";
import { compareSites } from "./sites.ts";
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

/** Judges every case with each peer and writes docs/compared.md; exits with 1 if a disagreement is not settled. */
async function compareAll(): Promise<void> {
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
  const sites = await compareSites();
  await mkdir(new URL(".", REPORT), { recursive: true });
  await writeFile(REPORT, describeAll(comparisons, sites));
}

async function canInstall(): Promise<boolean> {
  try {
    await installPeers();
    return true;
  } catch (error) {
    process.stderr.write(
      `compare: the peers can't be installed from the registry: ${error instanceof Error ? error.message : String(error)}\n`,
    );
    return false;
  }
}

if (await canInstall()) await compareAll();
else process.exitCode = 2;
