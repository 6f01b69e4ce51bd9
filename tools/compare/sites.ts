import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { scoreEvidence } from "../../server/engine/judge/score.ts";
import { probeUrl } from "../../test/harness/probing.ts";
import { type Site, type Routes, startSite } from "../../test/harness/site.ts";
import { OBSERVATORY_HOME } from "./peers.ts";
import { type Recipe, RECIPES } from "./recipes.ts";

const SCAN = fileURLToPath(new URL("./observatory-scan.ts", import.meta.url));

/** One site as we and the Observatory see it; `grade` is the Observatory's, with its score, or why it gives none. */
export interface SiteResult {
  readonly name: string;
  readonly score: number;
  readonly verdict: string;
  readonly caps: readonly string[];
  readonly grade: string;
}

async function startRecipe({ status = 200, headers, cors, page }: Recipe): Promise<Site> {
  let origin = "";
  const answer: Routes[string] = (request, response) => {
    const from = request.headers.origin;
    const nonce = randomBytes(16).toString("base64url");
    const fill = (text: string) => text.replaceAll("{nonce}", nonce).replaceAll("{origin}", origin);
    response.writeHead(status, {
      "content-type": "text/html; charset=utf-8",
      ...Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, fill(value)])),
      ...(cors && from !== undefined && cors(from)),
    });
    response.end(fill(page));
  };
  const site = await startSite({
    routes: { "/": answer },
    plainRoutes: {
      "/": (_request, response) => response.writeHead(301, { location: `${origin}/` }).end(),
    },
  });
  origin = `https://localhost:${site.port}`;
  return site;
}

async function scoreSite({ port, plainPort }: Site): Promise<Omit<SiteResult, "name" | "grade">> {
  const evidence = await probeUrl(`https://localhost:${port}/`, { httpPort: plainPort ?? 0 });
  const { score, verdict, caps } = scoreEvidence(evidence, "en");
  return { score, verdict, caps: caps.map(({ findingId, limit }) => `${findingId} ${limit}`) };
}

/** Grades the sites with the Observatory in a process of its own, whose Node trusts the sites' authority. */
async function gradeSites(sites: readonly Site[]): Promise<string[]> {
  const folder = await mkdtemp(path.join(tmpdir(), "compare-"));
  const roots = path.join(folder, "roots.pem");
  await writeFile(roots, sites[0]?.authority.certificate ?? "");
  const ports = sites.map(({ port, plainPort }) => `${port}:${plainPort}`);
  try {
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ["--import", "tsx", SCAN, OBSERVATORY_HOME, ...ports],
      { env: { ...process.env, NODE_EXTRA_CA_CERTS: roots } },
    );
    return stdout.trim().split("\n");
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Serves each recipe on loopback, scores it, and grades it with the Observatory. */
export async function compareSites(): Promise<SiteResult[]> {
  const sites = await Promise.all(RECIPES.map(startRecipe));
  try {
    const grades = await gradeSites(sites);
    const results: SiteResult[] = [];
    for (const [index, site] of sites.entries())
      results.push({
        name: RECIPES[index]?.name ?? "",
        ...(await scoreSite(site)),
        grade: grades[index] ?? "",
      });
    return results;
  } finally {
    await Promise.all(sites.map((site) => site.close()));
  }
}
