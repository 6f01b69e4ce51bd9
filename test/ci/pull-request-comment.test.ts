import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import {
  CHECK,
  contract,
  json,
  startContractDouble,
  type ContractDouble,
  type Handler,
} from "../harness/contract-double.ts";
import { useFolder } from "../harness/use.ts";
import { runAction, runComment } from "./run-action.ts";

interface Comment {
  readonly id: number;
  readonly node_id: string;
  body: string;
  readonly author: string;
}

const COMMIT = "3f1c9b7e2a6d4850b1e9c7a3d5f2846017ab9cde";

/** What the stand-in of GitHub's API has: the comments of pull request 7, and who may write. */
let comments: Comment[];
let isReadOnly: boolean;
/** How the question of who wrote comments is answered; undefined for the truth. */
let graphql: { status: number; body: unknown } | undefined;

const BOT = "github-actions[bot]";
/** Who a token writes as: a job's own, and a person's. */
const LOGINS: Readonly<Record<string, string>> = {
  "Bearer ghs_job": BOT,
  "Bearer github_pat_ann": "Ann",
};

const commentOf = (id: number, body: string, author: string): Comment => ({
  id,
  node_id: `IC_${id}`,
  body,
  author,
});

const github: Handler = (request, response, count) => {
  const { pathname, searchParams } = new URL(request.path, "https://api.github.com");
  const path = pathname.replace("/repos/owner/site/", "");
  const { body, variables } = (request.body === "" ? {} : JSON.parse(request.body)) as {
    body?: string;
    variables?: { ids: string[] };
  };
  const answer = (value: unknown, status = 200) => json(value, status)(request, response, count);
  const login = LOGINS[request.headers.authorization ?? ""];
  if (login === undefined) return answer({}, 401);
  if (pathname === "/graphql") {
    if (graphql) return answer(graphql.body, graphql.status);
    const written = variables?.ids.map((id) => comments.find((one) => one.node_id === id)?.author);
    return answer({
      data: { nodes: written?.map((author) => ({ viewerDidAuthor: author === login })) },
    });
  }
  if (request.method !== "GET" && isReadOnly) return answer({ message: "Resource" }, 403);
  if (path === `commits/${COMMIT}/pulls`)
    return answer([
      { number: 5, state: "closed", head: { sha: COMMIT } },
      { number: 7, state: "open", head: { sha: COMMIT } },
    ]);
  if (path.startsWith("commits/")) return answer([]);
  if (path === "issues/7/comments" && request.method === "GET") {
    const start = (Number(searchParams.get("page")) - 1) * Number(searchParams.get("per_page"));
    return answer(comments.slice(start, start + Number(searchParams.get("per_page"))));
  }
  if (path === "issues/7/comments" && body !== undefined) {
    comments.push(commentOf(comments.length + 1, body, login));
    return answer(comments.at(-1), 201);
  }
  const edited = comments.find(({ id }) => path === `issues/comments/${id}`);
  if (edited === undefined || request.method !== "PATCH" || body === undefined)
    return answer({ message: "Not Found" }, 404);
  edited.body = body;
  return answer(edited);
};

let api: ContractDouble;
let server: ContractDouble;
const folder = useFolder();
let score = CHECK.score;
beforeAll(async () => {
  api = await startContractDouble(github);
  server = await startContractDouble((request, response, count) =>
    (request.path.endsWith("/check") ? json({ ...CHECK, score }) : contract)(
      request,
      response,
      count,
    ),
  );
});
afterAll(async () => {
  await Promise.all([api[Symbol.asyncDispose](), server[Symbol.asyncDispose]()]);
});
beforeEach(() => {
  comments = [];
  isReadOnly = false;
  graphql = undefined;
});

const PULL_REQUEST = { pull_request: { number: 7 } };

type Env = Readonly<Record<string, string>>;

async function environmentOf(event: object, env: Env): Promise<Env> {
  const eventPath = join(folder, "event.json");
  await writeFile(eventPath, JSON.stringify(event));
  return {
    SHIPSCORE_URL: server.url,
    GITHUB_ACTIONS: "true",
    GITHUB_API_URL: api.url,
    GITHUB_EVENT_PATH: eventPath,
    GITHUB_GRAPHQL_URL: `${api.url}/graphql`,
    GITHUB_JOB: "shipscore",
    GITHUB_REPOSITORY: "owner/site",
    GITHUB_SHA: COMMIT,
    GITHUB_TOKEN: "ghs_job",
    GITHUB_WORKFLOW: "Fit to ship?",
    ...env,
  };
}

/** The whole action: a check, and the comment with its report. */
async function runJob(event: object, env: Env = {}) {
  const inputs = { url: "https://example.com/", "min-score": "50", "pull-request-comment": "true" };
  return runAction(inputs, await environmentOf(event, env));
}

/** The comment alone, with the report of a check that has ended. */
async function comment(event: object, env: Env = {}) {
  const GITHUB_OUTPUT = join(folder, "outputs");
  await writeFile(GITHUB_OUTPUT, "score=59\nreport<<END\n## Ship Score 59/100: Do not ship\nEND\n");
  return runComment(await environmentOf(event, { GITHUB_OUTPUT, ...env }));
}

const NO_TOKEN = "GITHUB_TOKEN has a character that no token has.";
const NO_PULL_REQUEST = "no open pull request has this commit";
const NO_PERMISSION =
  "issues/7/comments returned 403; give the job the permission `pull-requests: write`";

test.each<[why: string, env: Env, line: string, event?: object]>([
  ["the token is refused", { GITHUB_TOKEN: "no" }, "returned 401."],
  ["the token is two lines", { GITHUB_TOKEN: "ghs_job\nghs_job" }, NO_TOKEN],
  ["the token has a letter outside ASCII", { GITHUB_TOKEN: "ghs_job\u0430" }, NO_TOKEN],
  ["GitHub is away", { GITHUB_API_URL: "http://127.0.0.1:9" }, "request: "],
  ["no pull request has the commit", { GITHUB_SHA: "0".repeat(40) }, NO_PULL_REQUEST, {}],
  ["the job may not write", {}, NO_PERMISSION],
])(
  "without a comment the job ends as the command does, and logs the reason: %s",
  async (why, env, line, event = PULL_REQUEST) => {
    isReadOnly = why === "the job may not write";
    const run = why === "GitHub is away" ? runJob : comment;
    const { exitCode, stderr } = await run(event, env);
    expect([exitCode, comments]).toEqual([0, []]);
    expect(stderr).toContain(line);
    expect(stderr).not.toContain("ghs_job");
  },
);

test("each job has one comment with a hidden mark, edited at each run, with the report", async () => {
  expect((await runJob(PULL_REQUEST)).exitCode).toBe(0);
  expect(comments.map(({ body }) => body)).toEqual([
    expect.stringMatching(/^<!-- shipscore [0-9a-f]{16} -->\n## Ship Score 59\/100: Do not ship\n/),
  ]);
  score = 40;
  expect((await runJob(PULL_REQUEST)).exitCode).toBe(1);
  score = CHECK.score;
  expect(comments.map(({ body }) => /Score \d+/.exec(body)?.[0])).toEqual(["Score 40"]);
  await comment(PULL_REQUEST, { GITHUB_JOB: "shop" });
  expect(comments.map(({ body }) => /Score \d+/.exec(body)?.[0])).toEqual(["Score 40", "Score 59"]);
});

test("the comment is found behind a hundred others; a person's copy of the mark does not count", async () => {
  await comment(PULL_REQUEST);
  const [own] = comments.splice(0);
  if (own === undefined) throw new Error("no comment");
  const { body } = own;
  const others = Array.from({ length: 120 }, (_, id) =>
    commentOf(id, id === 3 ? body : `> ${body}`, "Eve"),
  );
  comments = [...others, commentOf(200, body.split("\n", 1)[0] ?? "", BOT)];
  await comment(PULL_REQUEST);
  expect(comments).toHaveLength(121);
  expect([comments[3]?.body, comments.at(-1)?.body]).toEqual([body, body]);
});

test.each<[token: string, own: string, copies: string]>([
  ["github_pat_ann", "Ann", "Eve"],
  ["github_pat_ann", "Ann", BOT],
  ["ghs_job", BOT, "another-app[bot]"],
])(
  "%s edits only the comment of %s, and no copy of the mark by %s",
  async (token, login, other) => {
    await comment(PULL_REQUEST, { GITHUB_TOKEN: token });
    const [own] = comments.splice(0);
    if (own === undefined) throw new Error("no comment");
    const [mark = ""] = own.body.split("\n", 1);
    comments = [commentOf(1, mark, other), commentOf(2, mark, login)];
    await comment(PULL_REQUEST, { GITHUB_TOKEN: token });
    expect(comments.map(({ body }) => body)).toEqual([mark, own.body]);
  },
);

test.each([
  ["an error", { status: 500, body: {} }],
  ["errors of GraphQL", { status: 200, body: { data: null, errors: [{ message: "no" }] } }],
  ["no comment", { status: 200, body: { data: { nodes: [null] } } }],
])("a new comment is written if the request for the author returns %s", async (_, no) => {
  await comment(PULL_REQUEST);
  graphql = no;
  const { stderr } = await comment(PULL_REQUEST);
  expect(stderr).toContain("shipscore: the comment on pull request 7 has been written.");
  expect(comments).toHaveLength(2);
});

test.each<[of: string, event: object, env: Env]>([
  ["a deployment", { deployment: { sha: COMMIT } }, { GITHUB_SHA: "0".repeat(40) }],
  ["a push", {}, {}],
  ["a ref", {}, { GITHUB_EVENT_PATH: "", GITHUB_REF: "refs/pull/7/merge" }],
])("the pull request of %s gets the comment", async (_, event, env) => {
  const { stderr } = await comment(event, env);
  expect(stderr).toContain("shipscore: the comment on pull request 7 has been written.");
  expect(comments).toHaveLength(1);
});

test("the comment reports a page that could not be checked", async () => {
  const away = { SHIPSCORE_URL: "http://127.0.0.1:9" };
  expect((await runJob(PULL_REQUEST, away)).exitCode).toBe(3);
  expect(comments.map(({ body }) => body)).toEqual([expect.stringContaining("## Not checked")]);
});
