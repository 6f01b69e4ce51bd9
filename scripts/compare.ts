import { mkdir, writeFile } from "node:fs/promises";
import { installObservatory, loadObservatory } from "./compare/observatory.ts";
import { compareTopic, findGaps, judgeWithEvaluator } from "./compare/opinion.ts";
import { describeAll } from "./compare/report.ts";
import { compareSites } from "./compare/sites.ts";
import { TOPICS } from "./compare/topics.ts";

const REPORT = new URL("../docs/compared.md", import.meta.url);

/** Judges every case beside each peer and writes docs/compared.md; exits 1 where a disagreement is not settled. */
async function compareAll(home: string): Promise<void> {
  const judges = {
    "MDN HTTP Observatory": await loadObservatory(home),
    csp_evaluator: judgeWithEvaluator,
  };
  const comparisons = TOPICS.flatMap((topic) =>
    topic.peers.map((peer) => compareTopic(topic, peer, judges[peer])),
  );
  for (const { topic, peer, disagreements } of comparisons)
    process.stdout.write(
      `${topic.title}, ${peer}: ${topic.rows.length - disagreements.length} of ${topic.rows.length} agree\n`,
    );
  const sites = await compareSites(home);
  await mkdir(new URL(".", REPORT), { recursive: true });
  await writeFile(REPORT, describeAll(comparisons, sites));
  const gaps = comparisons.flatMap(findGaps);
  for (const gap of gaps) process.stdout.write(`${gap}\n`);
  if (gaps.length > 0) process.exitCode = 1;
}

async function findHome(): Promise<string | undefined> {
  try {
    return await installObservatory();
  } catch (error) {
    process.stderr.write(
      `compare: the Observatory can't be installed from the registry: ${error instanceof Error ? error.message : String(error)}\n`,
    );
    return undefined;
  }
}

const home = await findHome();
if (home === undefined) process.exitCode = 2;
else await compareAll(home);
