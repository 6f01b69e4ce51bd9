import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { scoreEvidence } from "../../server/engine/judge/score.ts";
import { signIn } from "../harness/application.ts";
import { startFront, type Front } from "../harness/front.ts";
import { addPerson, addProject } from "../harness/people.ts";
import { probeUrl, type Probing } from "../harness/probing.ts";
import { startTestServer, type TestServer } from "../harness/server.ts";
import { findClosedPort, getAuthority, type Site, startSite } from "../harness/site.ts";
import { useFolder } from "../harness/use.ts";

const HOST = "score.example.com";

/** What the machine that runs the tests loses: it may be slow. */
const OF_THE_MACHINE = ["perf.ttfb"];

const PUBLIC = [
  "/",
  "/docs/rules",
  "/docs/ci",
  "/docs/alerts",
  "/docs/mcp",
  "/about/checks",
  "/sign-in",
  "/forgot",
  "/sign-up",
  "/status/teashop",
];

const SIGNED_IN = [
  "/projects",
  "/projects/new",
  "/incidents",
  "/checks",
  "/settings/api",
  "/settings/account",
  "/settings/account/second-factor",
];

let site: Site;
let headers: Record<string, string>;
const folder = useFolder();
let behind: TestServer;
let alone: TestServer;
let fronts: Record<"fr" | "en", Front>;

/** One server behind a proxy that an operator may have, and one with a certificate of its own. */
beforeAll(async () => {
  const authority = await getAuthority();
  site = await startSite({ routes: { "/": { body: "<!doctype html><title>Tea</title>" } } });
  const certificate = await authority.issue({ hosts: [HOST] });
  const files = { cert: join(folder, "cert.pem"), key: join(folder, "key.pem") };
  await writeFile(files.cert, certificate.cert);
  await writeFile(files.key, certificate.key);
  const port = await findClosedPort();
  const publicUrl = `https://${HOST}:${port}`;
  behind = await startTestServer({
    roots: [authority.certificate],
    env: {
      SHIPSCORE_BEHIND_TLS_PROXY: "1",
      SHIPSCORE_PUBLIC_URL: publicUrl,
      SHIPSCORE_PUBLIC_SCAN: "1",
      SHIPSCORE_SIGNUP: "open",
      SHIPSCORE_SMTP_URL: "smtp://127.0.0.1:1",
      SHIPSCORE_MAIL_FROM: "shipscore@example.com",
    },
  });
  alone = await startTestServer({
    env: {
      SHIPSCORE_TLS_CERT: files.cert,
      SHIPSCORE_TLS_KEY: files.key,
      SHIPSCORE_PUBLIC_URL: publicUrl,
      SHIPSCORE_PUBLIC_SCAN: "1",
    },
  });
  const alice = await addPerson(behind, "alice");
  const project = await addProject(behind, alice, site.url);
  const show = [`${site.url}=Shop`];
  await behind.perform("status-page edit", { project, name: "teashop", show, index: true });
  const { cookies } = await signIn(behind, alice);
  headers = { cookie: `__Host-shipscore=${cookies.get("shipscore")}` };
  fronts = {
    fr: await startFront(behind.url, HOST, "fr", certificate, port),
    en: await startFront(behind.url, HOST, "en", certificate),
  };
});
afterAll(async () => {
  await fronts.fr.close();
  await fronts.en.close();
  await behind.close();
  await alone.close();
  await site.close();
});

/** The findings that lose points, with what was seen. */
async function findLosses(port: string | number, path: string, probing: Probing = {}) {
  const evidence = await probeUrl(`https://${HOST}:${port}${path}`, {
    ...probing,
    httpPort: fronts.fr.plainPort,
    resolve: (name) =>
      name === HOST ? { outcome: "found", addresses: ["127.0.0.1"] } : { outcome: "not_found" },
  });
  return scoreEvidence(evidence, "en")
    .findings.filter(({ id, earned, points }) => earned < points && !OF_THE_MACHINE.includes(id))
    .map(({ id, evidence: seen }) => `${id}: ${seen}`);
}

/** The path of a finished scan. */
async function scan(): Promise<string> {
  const started = await fetch(`${behind.url}/scan`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ url: site.url }),
  });
  const { id } = (await started.json()) as { id: string };
  const path = `/scan/${id}`;
  await (await fetch(`${behind.url}${path}/events`)).text();
  const ended = await fetch(behind.url + path, { headers: { accept: "application/json" } });
  expect(await ended.json()).toMatchObject({ state: "done" });
  return path;
}

describe.each(["fr", "en"] as const)("in %s", (language) => {
  /** Each page in one of the languages, or in both. */
  const share = (paths: readonly string[]) =>
    paths.filter((_, index) => inject("isThorough") || (index % 2 === 0) === (language === "fr"));

  test.each(share(PUBLIC))("%s loses no point", async (path) => {
    expect(await findLosses(fronts[language].port, path)).toEqual([]);
  });

  test.each(share(SIGNED_IN))("%s loses none either, for a signed-in user", async (path) => {
    expect(await findLosses(fronts[language].port, path, { headers })).toEqual([]);
  });

  test("the page of a scan loses none as a preview, and is not indexed", async () => {
    const path = await scan();
    const { port } = fronts[language];
    expect(await findLosses(port, path, { preview: true })).toEqual([]);
    expect(await findLosses(port, path)).toEqual([expect.stringContaining("seo.indexable")]);
  });
});

test.each(["/", "/docs/rules", "/about/checks"])(
  "%s loses only HTTP/2 if the server has its own certificate",
  async (path) => {
    expect(await findLosses(new URL(alone.url).port, path)).toEqual([
      expect.stringContaining("perf.http2"),
    ]);
  },
);
