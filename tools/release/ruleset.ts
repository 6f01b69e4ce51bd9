import { writeFile } from "node:fs/promises";
import { brotliCompressSync } from "node:zlib";
import { RULESET } from "../../server/judge/ruleset.ts";
import { CASES } from "../../test/judge/cases/all.ts";
import { evidenceWith } from "../../test/judge/evidence-fixtures.ts";
import { digestRules, type ReleasedCases } from "../../test/judge/released.ts";

/** Records the evidence of every case, and how the newest ruleset judges it, permanently. */
const folder = new URL("../../test/judge/released/", import.meta.url);
const cases: ReleasedCases = CASES.map(([id, , , edit]) => [id, evidenceWith(edit)]);
const digests = digestRules(RULESET, cases);
const { version } = RULESET;
await writeFile(
  new URL(`${version}.cases.json.br`, folder),
  brotliCompressSync(JSON.stringify(cases)),
);
await writeFile(new URL(`${version}.json`, folder), `${JSON.stringify(digests, undefined, 2)}\n`);
