import { findDisagreements, findGaps, judgeWithEvaluator } from "./compare/opinion.ts";
import { loadObservatory } from "./compare/observatory.ts";
import { TOPICS } from "./compare/topics.ts";
const obs = await loadObservatory();
for (const topic of TOPICS)
  for (const peer of topic.peers) {
    const d = findDisagreements(topic, peer, peer === "csp_evaluator" ? judgeWithEvaluator : obs);
    process.stdout.write(
      `${topic.title} ${peer}: ${topic.rows.length - d.length}/${topic.rows.length}\n`,
    );
    for (const gap of findGaps(topic, peer, d)) process.stdout.write(`  ${gap}\n`);
  }
