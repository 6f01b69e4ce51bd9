import { describe, expect, it } from "vitest";
import { scoreEvidence } from "../../server/judge/score.ts";
import { probeUrl } from "../harness/probing.ts";
import { startSite } from "../harness/site.ts";
import { describeResult } from "./describe-result.ts";
import { PUBLISHED_SITES, type PublishedSite } from "./site-list.ts";
import { serveFolder } from "./static-host.ts";

const HOST = "site.example.com";

/** Every other host is out of reach: what third parties answer is not part of the snapshots. */
async function checkSite(site: PublishedSite) {
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

describe("sites that others published", () => {
  it.each(Object.entries(PUBLISHED_SITES))("%s is explained line by line", async (name, site) => {
    const result = scoreEvidence(await checkSite(site), "en");
    await expect(describeResult(result)).toMatchFileSnapshot(`snapshots/${name}.txt`);
  });
});
