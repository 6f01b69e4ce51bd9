import { beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { LEASES } from "../../server/base/bounds.ts";
import { finishCheck, insertDeploymentCheck } from "../../server/db/checks/checks.ts";
import { newId } from "../../server/db/id.ts";
import { packEvidence } from "../../server/engine/evidence/packed-evidence.ts";
import { RULESET, type Ruleset } from "../../server/engine/judge/ruleset.ts";
import { scoreEvidence } from "../../server/engine/judge/score.ts";
import { judgeAgain, type StoredEvidence } from "../../server/engine/visit/judge-again.ts";
import { signedOutClient, signIn, type Client } from "../harness/application.ts";
import { expectSoundPage } from "../harness/html.ts";
import { addPeople, addPerson, addProject, type Person } from "../harness/people.ts";
import { startTestServer } from "../harness/server.ts";
import { startSite } from "../harness/site.ts";
import { use } from "../harness/use.ts";
import { evidenceWith } from "../engine/judge/evidence-fixtures.ts";
import { OLDER, WITH_OLDER } from "../engine/judge/older-ruleset.ts";

const PAGE = "/shop?session=hunter2";
const NOBODYS = "chk_00000000000000000000";
/** A missing icon, which costs less than under the older ruleset. */
const MISSING_ICON = evidenceWith(({ assets }) => {
  for (const asset of assets.slice(1)) Object.assign(asset, { status: 404, kind: "icon" });
});

const site = use(() => {
  const page = {
    headers: { "content-type": "text/html", "set-cookie": "id=s3cret-of-a-cookie" },
    body: "<!doctype html><title>x</title>",
  };
  return startSite({ routes: { [PAGE]: page } });
});
const server = use(() => startTestServer({ roots: [site.authority.certificate] }));
let people: Record<"alice" | "bob" | "carol", Person>;
let alice: Client;
let bob: Client;
let carol: Client;
let ivy: Client;
let own: string;
let projects: string;

beforeAll(async () => {
  people = await addPeople(server);
  const invited = await addPerson(server, "ivy");
  alice = await signIn(server, people.alice);
  bob = await signIn(server, people.bob);
  carol = await signIn(server, people.carol);
  ivy = await signIn(server, invited);
  own = await checkByApi(people.alice);
  const projectId = await addProject(server, people.alice, `${site.url}/`);
  await server.sql`
    insert into memberships (project_id, account_id) values (${projectId}, ${people.bob.accountId})`;
  await server.sql`
    insert into invitations (project_id, email) values (${projectId}, ${invited.email})`;
  projects = await insertCheck(projectId, RULESET);
});

async function checkByApi({ token }: Person): Promise<string> {
  const headers = { "cf-access-client-secret": "s3cret-of-a-header" };
  const body = { url: `${site.url}${PAGE}`, headers };
  const answer = await server.request("/api/v1/check", { token, method: "POST", body });
  expect(answer.status).toBe(200);
  return ((await answer.json()) as { id: string }).id;
}

/** A check of a project that missed an icon, as this ruleset judges it. */
async function insertCheck(projectId: string, by: Ruleset): Promise<string> {
  const id = newId("chk");
  await insertDeploymentCheck(server.sql, { id, projectId, host: "example.com" }, LEASES.checkMs);
  const { score, verdict, ruleset } = scoreEvidence(MISSING_ICON, "en", by);
  const evidence = await packEvidence(MISSING_ICON, { ruleset, language: "en" });
  const result = { url: MISSING_ICON.url, score, verdict, ruleset, firstByteMs: null };
  await finishCheck(server.sql, id, { ...result, answers: { fr: "", en: "" }, evidence });
  return id;
}

describe("a report that the user may not see is a page that does not exist", () => {
  test("visitors are redirected to the sign-in from any report", async () => {
    for (const id of [own, projects, NOBODYS]) {
      const answer = await signedOutClient(server).get(`/checks/${id}`);
      expect([answer.status, answer.location]).toEqual([303, `/sign-in?next=%2Fchecks%2F${id}`]);
    }
  });

  test.each<[who: string, client: () => Client, check: () => string]>([
    ["a stranger and another's API check", () => carol, () => own],
    ["a stranger and a project's check", () => carol, () => projects],
    ["an invited person and a project's check", () => ivy, () => projects],
    ["a member and the owner's API check", () => bob, () => own],
    ["the wrong shape", () => alice, () => "1%27%20or%20true"],
  ])("%s", async (_, client, check) => {
    for (const end of ["", `?ruleset=${RULESET.version}`, "/evidence"]) {
      const [refused, unknown] = [
        await client().get(`/checks/${check()}${end}`),
        await client().get(`/checks/${NOBODYS}${end}`),
      ];
      expect([refused.status, refused.page.h1]).toEqual([404, "Check not found"]);
      expect(refused.html).toBe(unknown.html);
    }
  });

  test("a check of a scan has no report", async () => {
    const scan = newId("chk");
    await server.sql`insert into checks (id, kind, host, state, lease_until, evidence)
      select ${scan}, 'scan', host, state, lease_until, evidence from checks where id = ${own}`;
    expect((await alice.get(`/checks/${scan}`)).status).toBe(404);
    await server.sql`delete from checks where id = ${scan}`;
  });
});

test("a report whose evidence is of another version says so", async () => {
  const id = newId("chk");
  const older = { ...MISSING_ICON, version: 2 as never };
  const evidence = await packEvidence(older, { ruleset: RULESET.version, language: "en" });
  await server.sql`insert into checks (id, kind, account_id, month, host, state, started_at, lease_until, evidence)
    select ${id}, kind, account_id, month, host, state, started_at, lease_until, ${evidence} from checks where id = ${own}`;
  for (const path of [`/checks/${id}`, `/checks/compare?a=${own}&b=${id}`]) {
    const { status, page } = await alice.get(path);
    expect([status, page.h1]).toEqual([410, "Report of another version"]);
    expect(page.text).toContain("Check the URL again.");
  }
  await server.sql`delete from checks where id = ${id}`;
});

describe("the list of checks", () => {
  test("without checks says how to start one", async () => {
    const { page, status } = await carol.get("/checks");
    expect([status, page.h1, page.links["API settings"]]).toEqual([200, "Checks", "/settings/api"]);
    expect(page.text).toContain("shipscore check https://");
  });

  test("shows the masked URL, score, verdict and time, and links to the report", async () => {
    const { page, html } = await alice.get("/checks");
    const [, row = []] = page.rows;
    expect(row[0]).toBe(`${site.url}/shop?session=***`);
    expect(row.slice(1)).toEqual([
      expect.stringMatching(/^\d+$/),
      expect.stringMatching(/^[A-Z]/),
      expect.stringMatching(/ago$/),
      "Compare",
    ]);
    expect(page.links[row[0] ?? ""]).toBe(`/checks/${own}`);
    expect(Object.values(page.links)).toContain(`/checks/compare?b=${own}`);
    expect(html).not.toContain("hunter2");
    expectSoundPage(html, "en");
  });

  test("has only the account's own checks of 90 days, newest first, 36 per page, each once", async () => {
    const dan = await addPerson(server, "dan");
    await server.sql`
      insert into checks (id, kind, account_id, month, host, masked_url, state, started_at, lease_until, score, verdict, evidence)
      select 'chk_' || lpad(n::text, 20, '0'), 'api', ${dan.accountId}, '2026-01-01', 'example.com',
        case when n <> 3 then 'https://example.com/' || n end, 'done',
        now() - (n / 2) * interval '1 day', now(), 90, 'ship', '' from generate_series(1, 200) n`;
    const client = await signIn(server, dan, { language: "fr" });
    const seen: string[] = [];
    let answer = await client.get("/checks");
    for (;;) {
      const { rows, links } = answer.page;
      seen.push(...rows.slice(1).map(([address = ""]) => address.replace(" ↗", "")));
      expectSoundPage(answer.html, "fr");
      if (links["Page suivante"] === undefined) break;
      expect(rows.length).toBe(37);
      answer = await client.get(links["Page suivante"]);
    }
    const older = Array.from({ length: 89 }, (_, index) => 2 * index + 2);
    const inOrder = [1, ...older.flatMap((n) => [n + 1, n])].map((n) =>
      n === 3 ? "example.com" : `https://example.com/${n}`,
    );
    expect(seen).toEqual(inOrder);
    expect(answer.page.links["Page précédente"]).toBe("/checks?page=4");
    await server.sql`delete from checks where account_id = ${dan.accountId}`;
  });
});

describe("a report", () => {
  test("is assessed from the evidence, without data that was sent or set", async () => {
    const { page, html, status } = await alice.get(`/checks/${own}`);
    expect([status, page.h1]).toEqual([200, `${site.url}/shop?session=***`]);
    expect(page.title).toMatch(/^Ship Score \d+, /);
    expect(page.text).toContain("Fix first");
    for (const secret of ["hunter2", "s3cret"]) expect(html).not.toContain(secret);
    expectSoundPage(html, "en");
    expect(html.length).toBeLessThan(50_000);
  });

  test("stays when the answer is deleted, in the reader's language", async () => {
    await server.sql`update checks set answer = null, idempotency_key = null where id = ${own}`;
    const french = await signIn(server, people.alice, { language: "fr" });
    const { page, html } = await french.get(`/checks/${own}`);
    expect(page.text).toContain("À corriger d'abord");
    expectSoundPage(html, "fr");
  });

  test.each([
    ["its owner", () => alice],
    ["a member", () => bob],
  ])("of a project's deployment is visible to %s", async (_, client) => {
    const { page, status } = await client().get(`/checks/${projects}`);
    expect([status, page.title]).toEqual([200, expect.stringContaining("Ship Score 99")]);
    expect(page.text).toContain(`Ruleset ${RULESET.version}`);
  });

  test("offers its evidence for download, in the format of the operator's command", async () => {
    const answer = await alice.get(`/checks/${own}/evidence`);
    expect(answer.headers.get("content-type")).toContain("application/json");
    expect(answer.headers.get("content-disposition")).toBe(`attachment; filename="${own}.json"`);
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect(JSON.parse(answer.html)).toEqual(await server.perform("evidence", { id: own }));
    for (const secret of ["hunter2", "s3cret"]) expect(answer.html).not.toContain(secret);
  });
});

describe("assessed again", () => {
  let older: string;

  beforeEach(
    () =>
      void vi.spyOn(server.deps.threads, "run").mockImplementation(async ({ order }) => ({
        result: await judgeAgain(order as StoredEvidence, WITH_OLDER),
        faults: [],
      })),
  );
  beforeAll(async () => {
    const [row] = await server.sql<{ projectId: string }>`
      select project_id from checks where id = ${projects}`;
    older = await insertCheck(row?.projectId ?? "", OLDER);
  });

  test("by an unknown ruleset, with an error at the field", async () => {
    const { page, status } = await alice.get(`/checks/${older}?ruleset=1999.9`);
    expect(status).toBe(422);
    expect(page.problems["ruleset"]).toContain("does not have that ruleset");
    expect(page.title).toContain("Ship Score 40");
    expect(page.text).toContain("Ruleset 2025.1");
  });

  test("by a form for the version, and shows the differences with their reasons", async () => {
    const form = (await bob.get(`/checks/${older}`)).page.formOf("Recalculate the score");
    expect([form.method, form.fields["ruleset"]?.options]).toEqual([
      "get",
      [RULESET.version, OLDER.version],
    ]);
    const { page, html } = await bob.get(`/checks/${older}?ruleset=${RULESET.version}`);
    expect(page.text).toContain(`40, Do not ship (2025.1) → 99, Ship (${RULESET.version})`);
    expect(page.rows).toContainEqual([
      "asset.broken",
      "0 → 2",
      "assessed partial instead of fail, worth 2.5 points instead of 60",
    ]);
    expect(page.rows).toContainEqual(["hdr.csp", "– → 7", `not in ruleset ${OLDER.version}`]);
    expect(page.forms.find(({ fields }) => fields["ruleset"])?.fields["ruleset"]?.value).toBe(
      RULESET.version,
    );
    expectSoundPage(html, "en");
  });

  test("by its own ruleset, without differences", async () => {
    const { page } = await bob.get(`/checks/${older}?ruleset=${OLDER.version}`);
    expect(page.text).toContain("No points change.");
  });

  test("says it in French too", async () => {
    const french = await signIn(server, people.bob, { language: "fr" });
    const { page, html } = await french.get(`/checks/${projects}?ruleset=${OLDER.version}`);
    expect(page.text).toMatch(/\(2026\.2\) → .*\(2025\.1\)/);
    expect(page.rows).toContainEqual(["hdr.csp", "7 → –", `absente des règles ${OLDER.version}`]);
    expectSoundPage(html, "fr");
  });
});

test("two checks of a page are compared, the second with the one before it, only for their own account", async () => {
  const again = await checkByApi(people.alice);
  const path = `/checks/compare?a=${own}&b=${again}`;
  const nothing = await alice.get(`/checks/compare?a=${own}&b=${NOBODYS}`);
  for (const [client, asked] of [
    [bob, path],
    [carol, path],
    [alice, "/checks/compare"],
    [alice, `/checks/compare?a=${own}`],
    [alice, `/checks/compare?a=${own}&b=x`],
  ] as const)
    expect((await client.get(asked)).status).toBe(404);
  expect([nothing.status, nothing.page.h1]).toEqual([404, "Check not found"]);
  const report = await alice.get(`/checks/${again}`);
  expect(report.page.links["Compare with the previous check"]).toBe(path);
  expect((await alice.get(`/checks/${own}`)).page.links).not.toHaveProperty(
    "Compare with the previous check",
  );
  expect((await alice.get(`/checks/compare?b=${again}`)).location).toBe(path);
  const only = await alice.get(`/checks/compare?b=${own}`);
  expect(only.page.text).toContain("There is no earlier check of this page");
  const { page, html, status } = await alice.get(path);
  expect([status, page.h1]).toEqual([200, "Comparison of two checks"]);
  expect(page.text).toMatch(/(\d+), was \1 \(±0\).*Still present \(\d+\)/);
  expectSoundPage(html, "en");
  const other = await alice.get(`/checks/compare?a=${projects}&b=${again}`);
  expect(other.page.text).toContain("These checks are of two different pages.");
});

test("assessed again in its thread by the only ruleset, nothing changes", async () => {
  const form = (await alice.get(`/checks/${own}`)).page.formOf("Recalculate the score");
  expect(form.fields["ruleset"]?.options).toEqual([RULESET.version]);
  const { page } = await alice.get(`/checks/${own}?ruleset=${RULESET.version}`);
  expect(page.text).toContain("No points change.");
});
