/*
 * Checks each published site on a local host and stores its evidence for test/engine/sites: `npm install --prefix tools/sites
 * --ignore-scripts --no-package-lock && npx tsx tools/sites/store.ts`, then `npx vitest run test/engine/sites -u`.
 */
import { mkdir, writeFile } from "node:fs/promises";
import type { Evidence } from "../../server/engine/evidence/evidence.ts";
import { packEvidence } from "../../server/engine/evidence/packed-evidence.ts";
import { RULESET } from "../../server/engine/judge/ruleset.ts";
import { probeUrl } from "../../test/harness/probing.ts";
import { startSite } from "../../test/harness/site.ts";
import { PUBLISHED_SITES, type PublishedSite } from "./site-list.ts";
import { serveFolder } from "./static-host.ts";

const HOST = "site.example.com";
const STORED = new URL("../../test/engine/sites/stored/", import.meta.url);

/** All other hosts are unreachable, because answers of third parties do not belong in the evidence. */
async function checkSite(site: PublishedSite): Promise<Evidence> {
  const server = await startSite({
    hosts: [HOST],
    routes: { "*": serveFolder(site.folder, site.hosting) },
    tls: { ALPNProtocols: ["h2", "http/1.1"] },
  });
  try {
    return await probeUrl(`https://${HOST}:${server.port}/${site.page}`, {
      resolve: (name) =>
        name === HOST ? { outcome: "found", addresses: ["127.0.0.1"] } : { outcome: "timeout" },
    });
  } finally {
    await server.close();
  }
}

await mkdir(STORED, { recursive: true });
for (const [name, site] of Object.entries(PUBLISHED_SITES)) {
  const evidence = await checkSite(site);
  const packed = await packEvidence(evidence, { ruleset: RULESET.version, language: "en" });
  await writeFile(new URL(`${name}.json.br`, STORED), packed);
}
