import { createPublicKey, createVerify, generateKeyPairSync } from "node:crypto";
import { beforeEach, describe, expect, test } from "vitest";
import { OPERATOR } from "../../server/db/accounts/actors.ts";
import type { Status } from "../../server/db/deployments/commit-statuses.ts";
import { acceptHandOver, offerProject } from "../../server/projects/hand-over.ts";
import { acceptInvitation, shareProject } from "../../server/projects/invitations.ts";
import type { GateResult } from "../../server/projects/gates.ts";
import { signAsApp } from "../../server/statuses/app-token.ts";
import { cutWords, describeOutcome } from "../../server/statuses/outcomes.ts";
import { ownerOf } from "../../server/statuses/sending.ts";
import { inconsistentKey, pemOf, rsaKey } from "../harness/app-keys.ts";
import {
  addHook,
  deliver,
  payloadOf,
  withFields,
  type AddedHook,
} from "../harness/deployment-hosts.ts";
import { actorOf, addPeople, addProject } from "../harness/people.ts";
import { startTestServer } from "../harness/server.ts";
import { startSite } from "../harness/site.ts";
import { waitUntil } from "../harness/slow-site.ts";
import {
  APP_TOKEN,
  OWN_USER,
  REPOSITORY,
  startGitHub,
  startGitLab,
  TOKEN,
  type StoredComment,
  type Reply,
  type StatusHost,
} from "../harness/status-hosts.ts";
import { use } from "../harness/use.ts";

const GOOD = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Tea</title><p>Tea, by the leaf.`;
const OWN = "https://shipscore.example";
const APP = rsaKey(2048);
const PEM = pemOf(APP).trim();
const INCONSISTENT = inconsistentKey({ n: 256, d: 256 });

const github = use(startGitHub);
const gitlab = use(startGitLab);
const site = use(() =>
  startSite({ routes: { "*": { headers: { "content-type": "text/html" }, body: GOOD } } }),
);
const server = use(() =>
  startTestServer({
    tickMs: 200,
    env: {
      SHIPSCORE_PUBLIC_URL: OWN,
      SHIPSCORE_STATUS_HOSTS: `${github.host}, ${gitlab.host}`,
    },
  }),
);
const people = use(() => addPeople(server));

let projectId: string;
let commits = 0;
beforeEach(async () => {
  await server.sql`update projects set owner_id = null`;
  projectId = await addProject(server, people.alice, site.url);
});

const newHook = async (provider: "github" | "gitlab" | "vercel" = "github") => {
  const hook = await addHook(server, projectId, provider);
  return { ...hook, url: `${server.url}/hooks/${hook.id}` };
};
const setReporting = (hook: string, wanted: object) =>
  server.perform<{ said: string }>("hook reporting", {
    hook,
    repository: REPOSITORY,
    api: github.api,
    ...wanted,
  });
/** A hook of GitHub that reports statuses. */
async function reportingHook(wanted: object = {}): Promise<AddedHook> {
  const hook = await newHook();
  await setReporting(hook.id, { token: TOKEN, ...wanted });
  return hook;
}
const list = (hook: string) => server.perform<Status[]>("hook statuses", { id: hook });
const listed = async () => server.perform<object[]>("hook list", { project: projectId });

/** A commit that no other test has. */
const newCommit = () => (++commits).toString(16).padStart(40, "a");
let deployments = 71_002_201;

/** Reports a deployment of a commit, and returns what the hook answered. */
function report(hook: AddedHook, commit: string, fields: Record<string, unknown> = {}) {
  const payload = withFields(payloadOf(hook.provider), {
    ...(hook.provider === "github"
      ? { "deployment.id": ++deployments, "deployment.sha": commit }
      : {
          deployment_id: ++deployments,
          commit_url: `https://gitlab.example.com/harbour/storefront/-/commit/${commit}`,
        }),
    ...fields,
  });
  return deliver(hook, payload);
}
/** Reports a deployment that failed, of which there is one status and no check. */
const reportFailed = (hook: AddedHook, commit: string, fields: Record<string, unknown> = {}) =>
  report(hook, commit, { "deployment_status.state": "failure", ...fields });

async function untilStatuses(hook: AddedHook, isSo: (statuses: Status[]) => boolean) {
  let statuses: Status[] = [];
  await waitUntil("statuses are as expected", async () => isSo((statuses = await list(hook.id))));
  return statuses;
}
const untilEnded = (hook: AddedHook) =>
  untilStatuses(hook, (all) => all.length > 0 && all.every(({ sent }) => sent !== "pending"));
const untilTried = (hook: AddedHook, attempts = 1) =>
  untilStatuses(hook, ([newest]) => newest?.attempts === attempts && newest.error !== null);
/** Makes what waits due now. */
async function makeMessagesDue({ id }: AddedHook): Promise<void> {
  await server.sql`update statuses set due_at = now() where hook_id = ${id} and sent = 'pending'`;
  await server.sql`update status_reporting set due_at = now(), waits_until = null where id = ${id}`;
}
const keptOf = (host: StatusHost, commit: string) =>
  host.statuses.filter((one) => one.commit === commit);

describe("rejected, and nothing is stored", () => {
  test.each<[why: string, wanted: Record<string, unknown>, sentence: string]>([
    ["no credential", {}, "Pass a repository with a token"],
    ["two credentials", { token: TOKEN, key: PEM, app: "1", installation: "7" }, "Pass a repo"],
    ["half an app", { key: PEM, app: "1" }, "Pass a repository with a token"],
    ["--off with a token", { off: true, token: TOKEN }, "or --off alone"],
    ["a token of two words", { token: "a b" }, "A token must be one line"],
    ["no key", { key: "PEM", app: "1", installation: "7" }, "RSA of 2,048 to 4,096 bits"],
    [
      "no repository",
      { token: TOKEN, repository: "storefront" },
      "The repository must be OWNER/REPO",
    ],
    [
      "a path",
      { token: TOKEN, repository: "harbour-shop/.." },
      "The repository must be OWNER/REPO",
    ],
    ["http", { token: TOKEN, api: "http://127.0.0.1/" }, "must be an https URL"],
    ["a user's name", { token: TOKEN, api: "https://me@gitlab.com/" }, "must be an https URL"],
    [
      "another host",
      { token: TOKEN, api: "https://127.0.0.1:9/" },
      "may not be sent to 127.0.0.1:9",
    ],
    ["another token", { token: "ghp_wrong" }, "storefront: 401: Bad credentials"],
    ["another repository", { token: TOKEN, repository: "a/b" }, "a/b: 404: 404 Not Found"],
    ["--off with --comment", { off: true, comment: true }, "or --off alone"],
  ])("%s", async (_, wanted, sentence) => {
    const { id } = await newHook();
    await expect(setReporting(id, wanted)).rejects.toThrow(sentence);
    expect(await listed()).toEqual([
      { id, provider: "github", repository: null, reporting: "none" },
    ]);
  });

  test("a webhook of another provider, and one that does not exist", async () => {
    const { id } = await newHook("vercel");
    await expect(setReporting(id, { token: TOKEN })).rejects.toThrow(
      "only incoming webhooks of github and gitlab",
    );
    const none = "hook_00000000000000000000";
    await expect(setReporting(none, { token: TOKEN })).rejects.toThrow(
      `There is no incoming webhook ${none}.`,
    );
    await expect(list(none)).rejects.toThrow(`There is no incoming webhook ${none}.`);
  });

  test("a token that may write statuses, but no comments", async () => {
    const { id } = await newHook();
    const headers = { "x-accepted-github-permissions": "pull_requests=write" };
    github.reply({ status: 403, headers });
    const wanted = { token: TOKEN, comment: true };
    await expect(setReporting(id, wanted)).rejects.toThrow(
      "storefront: 403: needs pull_requests=write",
    );
    expect(await listed()).toMatchObject([{ reporting: "none" }]);
  });

  test("and an error that quotes the provider does not contain the token", async () => {
    const hook = await reportingHook();
    github.reply({ status: 422, body: { message: `no ${TOKEN} here` } });
    await reportFailed(hook, newCommit());
    expect(await untilEnded(hook)).toMatchObject([{ error: "422: no *** here" }]);
  });
});

test("from a signed event of GitHub to its status, once each, with the deployment's page", async () => {
  const hook = await newHook();
  expect(await setReporting(hook.id, { token: TOKEN })).toMatchObject({
    said: `may write statuses to ${REPOSITORY}`,
    reporting: "active",
  });
  const commit = newCommit();
  const { status, body } = await report(hook, commit);
  expect(status).toBe(202);
  const { deployment } = body as { deployment: string };
  const statuses = await untilStatuses(
    hook,
    (all) => all.length === 2 && all.every(({ sent }) => sent !== "pending"),
  );
  const target_url = `${OWN}/deployments/${deployment}`;
  const of = { commit, context: "shipscore/production" };
  expect(statuses).toMatchObject([
    { deployment, ...of, state: "success", sent: "sent", attempts: 1, error: null },
    { deployment, ...of, state: "pending", description: "Checking" },
  ]);
  expect(statuses[0]?.description).toMatch(/^\d+\/100: no gate$/);
  expect(keptOf(github, commit).at(-1)).toEqual({
    ...of,
    target_url,
    state: "success",
    description: statuses[0]?.description,
  });
  // A second deployment is compared with the first, and judged by the gate that the project has by then.
  await server.perform("gate edit", { project: projectId, minScore: "100", failOnNew: true });
  const next = newCommit();
  await report(hook, next, { "deployment_status.created_at": new Date().toISOString() });
  await waitUntil("it is told", () => keptOf(github, next).at(-1)?.state === "failure");
  expect(keptOf(github, next).at(-1)?.description).toMatch(
    /^\d+\/100, \+0: gate not met: score under 100$/,
  );
  expect(await listed()).toMatchObject([{ repository: REPOSITORY, reporting: "active" }]);
  const rows = await server.sql<{ text: string }>`
    select encode(secret, 'escape') as text from status_reporting where id = ${hook.id}`;
  expect(rows[0]?.text).not.toContain(TOKEN);
  expect(server.log.join("\n")).not.toContain(TOKEN);
});

test("a deployment whose attempts were all interrupted is reported as not assessed, without another visit", async () => {
  const hook = await reportingHook();
  const commit = newCommit();
  const { body } = await report(hook, commit);
  await untilStatuses(hook, (all) => all.length === 2);
  const { deployment } = body as { deployment: string };
  const visits = site.requests.length;
  await server.sql`
    update deployments set tries = 10, check_id = null, claim_id = 'chk_dead', lease_until = now(), try_at = now()
    where id = ${deployment}`;
  await untilStatuses(hook, ([newest]) => newest?.state === "error" && newest.sent === "sent");
  expect(keptOf(github, commit).at(-1)?.description).toBe(
    "Not assessed: The check was interrupted.",
  );
  expect(site.requests).toHaveLength(visits);
});

test("GitLab has its own header, name and states, by path or by number", async () => {
  for (const repository of ["harbour/storefront", "30"]) {
    const hook = await newHook("gitlab");
    await setReporting(hook.id, { token: TOKEN, api: gitlab.api, repository });
    const commit = newCommit();
    const failed = await report(hook, commit, { status: "failed" });
    expect(failed.body).toEqual({ ignored: "status failed" });
    await untilEnded(hook);
    expect(keptOf(gitlab, commit)).toEqual([
      {
        commit,
        context: "shipscore/production",
        state: "failed",
        description: "Not assessed: the deployment failed",
        target_url: null,
      },
    ]);
  }
});

describe("an app's key", () => {
  const wanted = { app: "12", installation: "7" };
  const pssKey = generateKeyPairSync("rsa-pss", { modulusLength: 2048 }).privateKey;
  const ecKey = generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey;
  const refused: [what: string, key: string][] = [
    ["of 10,400 bits", inconsistentKey({ n: 1300, d: 1300 })],
    ["of 1,024 bits", pemOf(rsaKey(1024))],
    ["with exponent 3", pemOf(rsaKey(2048, 3))],
    ["of 2,048 bits whose numbers do not belong together", INCONSISTENT],
    ["with a private exponent of 9,600 bits", inconsistentKey({ n: 512, d: 1200 })],
    ["with primes larger than its modulus", inconsistentKey({ n: 256, d: 1, p: 600 })],
    ["behind a passphrase", pemOf(APP, "pkcs8", "x")],
    ["behind a passphrase, in PKCS#1", pemOf(APP, "pkcs1", "x")],
    ["for RSA-PSS alone", pemOf(pssKey, "pkcs8")],
    ["of an elliptic curve", pemOf(ecKey, "pkcs8")],
    ["twice", `${PEM}\n${PEM}`],
    ["of dashes", "-".repeat(10_000)],
  ];
  test.each(refused)("is rejected: %s", async (_, key) => {
    const { id } = await newHook();
    github.tokenRequests.length = 0;
    await expect(setReporting(id, { ...wanted, key })).rejects.toThrow(
      "RSA of 2,048 to 4,096 bits",
    );
    expect(await listed()).toMatchObject([{ reporting: "none" }]);
    expect(github.tokenRequests).toEqual([]);
  });

  test.each(refused)("that is stored is rejected as a credential: %s", async (_, key) => {
    const hook = await newHook();
    await setReporting(hook.id, { ...wanted, key: PEM });
    const sealed = server.deps.secretBox.seal(key, ownerOf(hook.id));
    await server.sql`update status_reporting set secret = ${sealed} where id = ${hook.id}`;
    await reportFailed(hook, newCommit());
    expect(await untilEnded(hook)).toMatchObject([{ sent: "dead", attempts: 1, error: "key" }]);
    expect(await listed()).toMatchObject([{ reporting: "refused" }]);
  });

  test.each([
    ["PKCS#1", PEM],
    ["PKCS#8", pemOf(APP, "pkcs8")],
    ["lines that end as on Windows", PEM.replaceAll("\n", "\r\n")],
    ["4,096 bits", pemOf(rsaKey(4096), "pkcs8").replaceAll("\n", "\r\n")],
  ])("is accepted: %s", async (_, key) => {
    const { id } = await newHook();
    expect(await setReporting(id, { ...wanted, key })).toMatchObject({ reporting: "active" });
  });

  test.each([
    ["good", PEM],
    ["inconsistent", INCONSISTENT],
  ])("does not block the thread while it signs: %s", async (_, key) => {
    const order: string[] = [];
    const signing = signAsApp("12", key).then(() => order.push("signed"));
    setImmediate(() => order.push("other work"));
    await signing;
    expect(order).toEqual(["other work", "signed"]);
  });
});

test("an app's key creates tokens for one repository, in memory only", async () => {
  const hook = await newHook();
  github.tokenRequests.length = 0;
  await setReporting(hook.id, { app: "12", installation: "7", key: PEM });
  for (const commit of [newCommit(), newCommit()]) {
    await reportFailed(hook, commit);
    await waitUntil("it is told", () => keptOf(github, commit).length === 1);
  }
  expect(github.tokenRequests.map(({ body }) => body)).toEqual(
    Array.from({ length: 3 }, () => ({
      repositories: ["storefront"],
      permissions: { statuses: "write" },
    })),
  );
  const [head = "", claims = "", signature = ""] =
    github.tokenRequests[0]?.authorization.replace("Bearer ", "").split(".") ?? [];
  const isSigned = createVerify("sha256")
    .update(`${head}.${claims}`)
    .verify(createPublicKey(APP), signature, "base64url");
  expect(isSigned).toBe(true);
  expect(JSON.parse(Buffer.from(claims, "base64url").toString())).toMatchObject({ iss: "12" });
  const stored = JSON.stringify(await server.sql`select * from status_reporting`);
  for (const secret of [APP_TOKEN, PEM.slice(40, 80)]) {
    expect(stored).not.toContain(secret);
    expect(server.log.join("\n")).not.toContain(secret);
  }
});

describe("the outcome of a status that is", () => {
  const NEEDS = { "x-accepted-github-permissions": "statuses=write" };
  test.each<[what: string, reply: Reply, error: string, reporting: string]>([
    [
      "unauthorized",
      { status: 401, body: { message: "Bad credentials" } },
      "401: Bad credentials",
      "refused",
    ],
    ["forbidden", { status: 403, headers: NEEDS }, "403: needs statuses=write", "active"],
    ["out of scope", { status: 403, body: { scope: "api" } }, "403: needs scope api", "active"],
    ["not found", { status: 404, body: { message: "Not Found" } }, "404: Not Found", "active"],
    ["invalid", { status: 422, body: { message: "No commit" } }, "422: No commit", "active"],
    [
      "refused",
      { status: 400, body: { message: { state: ["no"] } } },
      '400: {"state":["no"]}',
      "active",
    ],
    [
      "sent elsewhere",
      { status: 307, headers: { location: "https://elsewhere.example/" } },
      "307: redirects elsewhere",
      "active",
    ],
  ])("%s: dead, with the reason", async (_, reply, error, reporting) => {
    const hook = await reportingHook();
    github.reply(reply);
    await reportFailed(hook, newCommit());
    expect(await untilEnded(hook)).toMatchObject([{ sent: "dead", attempts: 1, error }]);
    expect(await listed()).toMatchObject([{ reporting }]);
  });

  test("rejected with 401: nothing is sent until a credential is entered", async () => {
    const hook = await reportingHook();
    github.reply({ status: 401 });
    await reportFailed(hook, newCommit());
    await untilEnded(hook);
    const [commit, next] = [newCommit(), newCommit()];
    await reportFailed(hook, commit);
    expect((await untilEnded(hook))[0]).toMatchObject({ sent: "dead", error: "refused" });
    await setReporting(hook.id, { token: TOKEN });
    await reportFailed(hook, next);
    await waitUntil("it is told", () => keptOf(github, next).length === 1);
    expect(keptOf(github, commit)).toEqual([]);
  });

  test("redirected within the origin: followed as a POST", async () => {
    const hook = await reportingHook();
    const commit = newCommit();
    const location = `${new URL(github.api).pathname}/repos/${REPOSITORY}/statuses/${commit}`;
    github.reply({ status: 301, headers: { location } }, { status: 308, headers: { location } });
    await reportFailed(hook, commit);
    expect(await untilEnded(hook)).toMatchObject([{ sent: "sent", attempts: 1 }]);
    expect(keptOf(github, commit)).toHaveLength(1);
  });

  test.each<[what: string, reply: Reply, least: number, most: number]>([
    ["told to wait", { status: 429, headers: { "retry-after": "90" } }, 85, 100],
    [
      "out of requests",
      {
        status: 403,
        headers: {
          "x-ratelimit-remaining": "0",
          "x-ratelimit-reset": String(Math.floor(Date.now() / 1000) + 9999),
        },
      },
      3500,
      3961,
    ],
    ["not served", { status: 503 }, 0, 6],
    ["beside another update", { status: 409 }, 0, 6],
  ])("%s: sent later, and not before the given time", async (_, reply, least, most) => {
    const hook = await reportingHook();
    github.reply(reply);
    const commit = newCommit();
    await reportFailed(hook, commit);
    await untilTried(hook);
    const [row] = await server.sql<{ seconds: number }>`
      select extract(epoch from due_at - now())::float8 as seconds from status_reporting where id = ${hook.id}`;
    expect(row?.seconds).toBeGreaterThan(least);
    expect(row?.seconds).toBeLessThan(most);
    await makeMessagesDue(hook);
    expect(await untilEnded(hook)).toMatchObject([{ sent: "sent", attempts: 2, error: null }]);
    expect(keptOf(github, commit)).toHaveLength(1);
  });

  test("accepted, with a lost answer: listed as sent, and not sent again", async () => {
    const hook = await reportingHook();
    const commit = newCommit();
    github.reply({ taken: true });
    await reportFailed(hook, commit);
    await untilTried(hook);
    await makeMessagesDue(hook);
    expect(await untilEnded(hook)).toMatchObject([{ sent: "sent", attempts: 2 }]);
    expect(keptOf(github, commit)).toHaveLength(1);
    expect(github.requested.slice(-2)).toEqual([
      `POST /repos/${REPOSITORY}/statuses/${commit}`,
      `GET /repos/${REPOSITORY}/commits/${commit}/statuses`,
    ]);
  });
});

/** Long enough for whatever a test does meanwhile. */
const WAIT: Reply = { status: 429, headers: { "retry-after": "600" } };

describe("with several deployments", () => {
  test("a newer deployment of the commit replaces the unsent status of an older one", async () => {
    const hook = await reportingHook();
    const commit = newCommit();
    github.reply(WAIT);
    await reportFailed(hook, commit, { "deployment_status.created_at": "2026-03-02T10:00:00Z" });
    await untilTried(hook);
    const newer = { "deployment_status.created_at": "2026-03-02T11:00:00Z" };
    await reportFailed(hook, commit, newer);
    const older = { "deployment_status.created_at": "2026-03-02T09:00:00Z" };
    await reportFailed(hook, commit, older);
    await makeMessagesDue(hook);
    const ended = await untilEnded(hook);
    expect(ended.map(({ sent }) => sent)).toEqual(["superseded", "sent", "superseded"]);
    expect(keptOf(github, commit)).toHaveLength(1);
  });

  test("a final state replaces an unsent pending one", async () => {
    const hook = await reportingHook();
    const commit = newCommit();
    github.reply(WAIT);
    await report(hook, commit);
    await untilStatuses(hook, (all) => all.length === 2);
    await makeMessagesDue(hook);
    const statuses = await untilEnded(hook);
    expect(statuses.map(({ state, sent }) => [state, sent])).toEqual([
      ["success", "sent"],
      ["pending", "superseded"],
    ]);
    expect(keptOf(github, commit).map(({ state }) => state)).toEqual(["success"]);
  });

  test("repeated events, irrelevant states and incomplete commits get no status", async () => {
    const hook = await reportingHook();
    const payload = withFields(payloadOf("github"), {
      "deployment_status.state": "failure",
      "deployment.sha": newCommit(),
    });
    const headers = { "x-github-delivery": "the-same" };
    for (const _ of [1, 2]) await deliver(hook, payload, headers);
    await report(hook, newCommit(), { "deployment_status.state": "in_progress" });
    await reportFailed(hook, "3f1c9b7");
    expect(await untilEnded(hook)).toHaveLength(1);
  });

  test("a deployment of another repository is recorded, without a status", async () => {
    const hook = await reportingHook();
    const commit = newCommit();
    const { status } = await report(hook, commit, { "repository.full_name": "harbour-shop/docs" });
    expect(status).toBe(202);
    expect(await untilEnded(hook)).toMatchObject([{ sent: "dead", error: "repository" }]);
    expect(keptOf(github, commit)).toEqual([]);
  });

  test("previews have a separate context, or the chosen one", async () => {
    const environment = { "deployment.environment": "preview/pr-7" };
    for (const context of [undefined, "shipscore/preview"]) {
      const hook = await reportingHook({ context });
      await reportFailed(hook, newCommit(), environment);
      expect(await untilEnded(hook)).toMatchObject([
        { context: context ?? "shipscore/preview/pr-7", state: "error" },
      ]);
    }
  });
});

describe("the comment on the pull request", () => {
  const pulls = [
    { number: 4, state: "closed" as const, head: "c".repeat(40) },
    { number: 7, state: "open" as const, head: "d".repeat(40) },
  ];
  const mark = /^<!-- shipscore [0-9a-f]{16} -->\n/;
  beforeEach(() => {
    for (const host of [github, gitlab]) {
      host.pulls.splice(0, Infinity, ...pulls.map((one) => ({ ...one })));
      host.comments.length = 0;
    }
  });
  const untilCommented = (hook: AddedHook, times: number) =>
    untilStatuses(
      hook,
      (all) =>
        all.every(({ sent }) => sent !== "pending") &&
        all.filter(({ state, sent }) => state === "comment" && sent === "sent").length === times,
    );
  const later = (minutes: number) => ({
    "deployment_status.created_at": new Date(Date.now() + minutes * 60_000 - 3_600_000),
  });

  test("is a single one, edited in place, with the report and after the status", async () => {
    const hook = await newHook();
    expect(await setReporting(hook.id, { token: TOKEN, comment: true })).toMatchObject({
      said: `may write statuses to ${REPOSITORY}, and comment on its pull requests`,
    });
    await server.perform("gate edit", { project: projectId, minScore: "100" });
    const commit = newCommit();
    await report(hook, commit, later(1));
    const [status, told] = await untilCommented(hook, 1);
    expect(status).toMatchObject({ state: "failure", sent: "sent" });
    expect(told).toMatchObject({ state: "comment", sent: "sent", commit, error: null });
    const [first] = github.comments;
    expect(first).toMatchObject({ pull: 7, author: OWN_USER });
    expect(first?.body).toMatch(mark);
    const [score = ""] = status!.description.split(",");
    for (const words of [`## Ship Score ${score.slice(0, 6)}`, "### Gate\n\n- ❌ **not met:**"])
      expect(first?.body).toContain(words);
    expect(github.requested.at(-1)).toBe(`POST /repos/${REPOSITORY}/issues/7/comments`);
    await report(hook, newCommit(), later(2));
    await untilCommented(hook, 2);
    expect(github.comments).toHaveLength(1);
    expect(github.comments[0]?.body).toContain("### Since the baseline");
    expect(github.requested.at(-1)).toBe(`PATCH /repos/${REPOSITORY}/issues/comments/1`);
    // What an older deployment comes to stands in no newer one's place.
    await report(hook, newCommit(), later(0));
    const older = await untilStatuses(hook, ([, comment]) => comment?.sent === "superseded");
    expect(older[1]?.state).toBe("comment");
    // One that was deleted is written again.
    github.comments.splice(0, 1, { id: 9, pull: 7, body: "LGTM", author: 3 });
    await report(hook, newCommit(), later(3));
    await untilCommented(hook, 3);
    expect(github.comments.map(({ id }) => id)).toEqual([9, 2]);
  });

  test("is a note on the merge request for GitLab", async () => {
    const hook = await newHook("gitlab");
    const wanted = { token: TOKEN, api: gitlab.api, repository: "30", comment: true };
    await setReporting(hook.id, wanted);
    for (const times of [1, 2]) {
      await report(hook, newCommit(), { status_changed_at: new Date() });
      await untilCommented(hook, times);
    }
    expect(gitlab.comments).toMatchObject([{ pull: 7, body: expect.stringMatching(mark) }]);
    expect(gitlab.requested.at(-1)).toBe("PUT /projects/30/merge_requests/7/notes/1");
  });

  test("is found again by its mark after a lost answer; a copy of the mark by someone else does not count", async () => {
    const hook = await reportingHook({ comment: true });
    await report(hook, newCommit(), later(1));
    await untilCommented(hook, 1);
    const [{ body }] = github.comments as [StoredComment];
    github.comments.splice(0, 1, { id: 1, pull: 7, body, author: 3 });
    await server.sql`update statuses set comment_id = null`;
    github.reply(WAIT);
    await report(hook, newCommit(), later(2));
    await untilStatuses(hook, (all) => all.length === 6);
    // The status, and the comment whose answer is lost.
    github.reply({ status: 201, body: {} }, { taken: true });
    await makeMessagesDue(hook);
    await untilStatuses(hook, (all) =>
      all.some((one) => one.state === "comment" && one.error !== null),
    );
    await makeMessagesDue(hook);
    await untilStatuses(hook, (all) => all.every(({ sent }) => sent !== "pending"));
    expect(github.comments.map(({ author }) => author)).toEqual([3, OWN_USER]);
    expect(github.comments[0]?.body).toBe(body);
    expect(github.requested.at(-1)).toBe(`PATCH /repos/${REPOSITORY}/issues/comments/2`);
  });

  /** As many characters of UTF-16 as GitHub takes. */
  const LONGEST = "😀".repeat(32_768);
  const long = (id: number, body = LONGEST): StoredComment => ({ id, pull: 7, body, author: 3 });
  const longPull = (number: number) => ({
    number,
    state: "open" as const,
    head: "e".repeat(40),
    description: LONGEST,
  });

  test.each<[among: string, before: number, after: number, body?: string]>([
    ["ten of the longest", 10, 0],
    ["forty before it, and three after", 40, 3],
    ["thirty that follow it", 0, 30],
    ["one that no page holds", 1, 1, `"`.repeat(1_000_000)],
  ])("is found again among the longest of others: %s", async (_, before, after, body) => {
    const hook = await reportingHook({ comment: true });
    await report(hook, newCommit(), later(1));
    await untilCommented(hook, 1);
    const [own] = github.comments as [StoredComment];
    own.id = 500;
    const longOnes = (count: number, from: number) =>
      Array.from({ length: count }, (_one, index) => long(from + index, body));
    github.comments.unshift(...longOnes(before, 1));
    github.comments.push(...longOnes(after, 600));
    await server.sql`update statuses set comment_id = null`;
    await report(hook, newCommit(), later(2));
    await untilCommented(hook, 2);
    expect(github.requested.at(-1)).toBe(`PATCH /repos/${REPOSITORY}/issues/comments/500`);
    expect(github.comments).toHaveLength(before + after + 1);
  });

  test("is written again if too many of the longest hide it", async () => {
    const hook = await reportingHook({ comment: true });
    github.comments.push(...Array.from({ length: 240 }, (_, id) => long(id + 1)));
    await report(hook, newCommit());
    await untilCommented(hook, 1);
    expect(github.comments.at(-1)).toMatchObject({ author: OWN_USER });
  });

  test("is written to a pull request listed after others with the longest descriptions", async () => {
    github.pulls.unshift(...Array.from({ length: 11 }, (_, number) => longPull(number + 20)));
    gitlab.pulls.unshift(...Array.from({ length: 11 }, (_, number) => longPull(number + 20)));
    const [commit, onGitLab] = [newCommit(), await newHook("gitlab")];
    github.pulls.at(-1)!.head = commit;
    await report(await reportingHook({ comment: true }), commit);
    await waitUntil("it is written", () => github.comments.length === 1);
    expect(github.comments).toMatchObject([{ pull: 7 }]);
    const wanted = { token: TOKEN, api: gitlab.api, repository: "30", comment: true };
    await setReporting(onGitLab.id, wanted);
    gitlab.pulls.at(-1)!.head = commit;
    await report(onGitLab, commit);
    await waitUntil("it is written", () => gitlab.comments.length === 1);
    expect(gitlab.comments).toMatchObject([{ pull: 7 }]);
  });

  test("is listed if it is rejected, and the status is sent anyway", async () => {
    const hook = await reportingHook({ comment: true });
    github.reply(WAIT);
    await report(hook, newCommit());
    await untilStatuses(hook, (all) => all.length === 3);
    const headers = { "x-accepted-github-permissions": "pull_requests=write" };
    github.reply({ status: 201, body: {} }, { status: 403, headers });
    await makeMessagesDue(hook);
    expect(await untilStatuses(hook, ([, comment]) => comment?.sent === "dead")).toMatchObject([
      { state: "success", sent: "sent" },
      { state: "comment", error: "403: needs pull_requests=write" },
      { state: "pending", sent: "superseded" },
    ]);
    expect(await listed()).toMatchObject([{ reporting: "active" }]);
  });

  test("is not written without an open pull request, or without the option", async () => {
    github.pulls.pop();
    const hooks = [await reportingHook({ comment: true }), await reportingHook()];
    for (const hook of hooks) {
      await report(hook, newCommit());
      const isOver = ([newest, ...others]: Status[]) =>
        newest?.state === "success" && newest.sent === "sent" && others.length === 1;
      await untilStatuses(hook, isOver);
    }
    expect(github.comments).toEqual([]);
  });

  test("is written with an app's token, which edits only a comment of the same app", async () => {
    const hook = await newHook();
    github.tokenRequests.length = 0;
    await setReporting(hook.id, { app: "12", installation: "7", key: PEM, comment: true });
    expect(github.tokenRequests[0]?.body).toMatchObject({
      permissions: { statuses: "write", pull_requests: "write" },
    });
    await report(hook, newCommit());
    await untilCommented(hook, 1);
    const [{ body }] = github.comments as [StoredComment];
    github.comments.unshift({ id: 30, pull: 7, body, author: 3 });
    await server.sql`update statuses set comment_id = null`;
    await report(hook, newCommit(), later(9));
    await untilCommented(hook, 2);
    expect(github.comments).toHaveLength(2);
    expect(github.requested.at(-1)).toBe(`PATCH /repos/${REPOSITORY}/issues/comments/1`);
  });
});

test("a webhook that was turned off or transferred sends no more statuses", async () => {
  const { alice, bob } = people;
  const hook = await reportingHook();
  github.reply(WAIT);
  await reportFailed(hook, newCommit());
  await untilTried(hook);
  await server.perform("hook reporting", { hook: hook.id, off: true });
  expect(await list(hook.id)).toMatchObject([{ sent: "dead", error: "off" }]);
  await setReporting(hook.id, { token: TOKEN });
  await shareProject(server.deps, OPERATOR, projectId, bob.email);
  await acceptInvitation(server.deps, actorOf(bob), projectId);
  await offerProject(server.deps, actorOf(alice), projectId, bob.email);
  await acceptHandOver(server.deps, actorOf(bob), projectId);
  expect(await listed()).toMatchObject([{ repository: null, reporting: "none" }]);
  expect(await server.sql`select id from status_reporting where id = ${hook.id}`).toEqual([]);
});

const OPEN: Omit<GateResult, "gate"> = {
  hasConditions: false,
  met: true,
  failures: [],
  score: 84,
  acceptedScore: null,
  acceptedCount: 0,
  difference: null,
};
const MET = { ...OPEN, hasConditions: true };
const LOW = { ...MET, score: 59 };
const FAILURES = ["score under 80", "hdr.hsts"];
test.each<[description: string, state: string, gate: Omit<GateResult, "gate">]>([
  ["84/100: no gate", "success", OPEN],
  ["84/100, +0: no gate", "success", { ...OPEN, difference: 0 }],
  ["84/100, +3: gate met", "success", { ...MET, difference: 3 }],
  [
    "59/100, -25: gate not met: score under 80, hdr.hsts",
    "failure",
    { ...LOW, met: false, failures: FAILURES, difference: -25 },
  ],
  [
    "59/100, 84 with 1 accepted: gate met",
    "success",
    { ...LOW, acceptedScore: 84, acceptedCount: 1 },
  ],
])("%s", (description, state, gate) => {
  const check = { verdict: "ship" as const, findings: [], caps: [] };
  expect(describeOutcome(check, gate)).toEqual({ state, description });
});

test("a description is cut at a word", () => {
  expect(cutWords("a".repeat(140))).toHaveLength(140);
  expect(cutWords("word ".repeat(40))).toMatch(/^(?:word )+word…$/);
  expect(cutWords("a".repeat(200))).toBe(`${"a".repeat(139)}…`);
  expect(cutWords("word ".repeat(40)).length).toBeLessThanOrEqual(140);
});
