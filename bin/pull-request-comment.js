/*
 * Keeps the report of a job in one comment on its pull request, which a hidden mark finds again. Whatever becomes of it,
 * the job's result is the command's. It is a program of its own because Node 24 reads HTTPS_PROXY for `fetch` only as it starts.
 */
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";

const {
  GITHUB_API_URL: api = "https://api.github.com",
  GITHUB_EVENT_PATH: eventPath,
  GITHUB_GRAPHQL_URL: graphql = "https://api.github.com/graphql",
  GITHUB_JOB: job = "",
  GITHUB_OUTPUT: outputPath,
  GITHUB_REF: ref = "",
  GITHUB_REPOSITORY: repository,
  GITHUB_SHA: pushed,
  GITHUB_TOKEN: secret = "",
  GITHUB_WORKFLOW: workflow = "",
} = process.env;

const token = secret.trim();

const TIMEOUT_MS = 20_000;
const COMMENTS_A_PAGE = 100;
const MAX_PAGES = 50;

const key = createHash("sha256").update(`${workflow}\n${job}`).digest("hex").slice(0, 16);
const MARK = `<!-- shipscore ${key} -->`;
const HOME = `repos/${repository}`;
/** Other characters in a token would make the request's error repeat the whole token. */
const SENDABLE = /^[!-~]+$/;

/** @throws Error for any answer but a good one */
async function ask(method, path, body, url = `${api}/${path}`) {
  const response = await fetch(url, {
    method,
    headers: {
      accept: "application/vnd.github+json",
      authorization: `Bearer ${token}`,
      "content-type": "application/json",
      "user-agent": "shipscore",
      "x-github-api-version": "2022-11-28",
    },
    ...(body && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  if (response.ok) return response.json();
  const advice =
    response.status === 403
      ? "; give the job the permission `pull-requests: write`, which a pull request from a fork never has"
      : "";
  throw new Error(`${method} ${path} answered ${response.status}${advice}`);
}

/** The report as the command gave it to the job; undefined where it came to none. */
async function findReport() {
  const outputs = await readFile(outputPath, "utf8");
  return /^report<<(\S+)\n([^]*?)\n\1$/m.exec(outputs)?.[2];
}

/** The number of the event's pull request, or of the open one that has its commit. */
async function findPullRequest() {
  const event = eventPath ? JSON.parse(await readFile(eventPath, "utf8")) : {};
  const number = event.pull_request?.number ?? /^refs\/pull\/(\d+)\//.exec(ref)?.[1];
  if (number) return number;
  const commit = event.deployment?.sha ?? event.workflow_run?.head_sha ?? pushed;
  const pulls = await ask("GET", `${HOME}/commits/${encodeURIComponent(commit)}/pulls`);
  const open = pulls.filter(({ state }) => state === "open");
  return (open.find(({ head }) => head?.sha === commit) ?? open[0])?.number;
}

const QUERY = `query($ids: [ID!]!) { nodes(ids: $ids) { ... on IssueComment { viewerDidAuthor } } }`;

/** A mark in a comment that the token did not write is a copy. If GitHub does not say who wrote a comment, it counts as one. */
async function findOwn(comments) {
  const marked = comments.filter(({ body }) => body?.startsWith(MARK));
  if (marked.length === 0) return undefined;
  const question = { query: QUERY, variables: { ids: marked.map((one) => one.node_id) } };
  const { data } = await ask("POST", "graphql", question, graphql).catch(() => ({}));
  return marked.find((_, index) => data?.nodes?.[index]?.viewerDidAuthor === true);
}

/** @throws Error where there are too many to look through */
async function findComment(number) {
  for (let page = 1; page <= MAX_PAGES; page++) {
    const query = `per_page=${COMMENTS_A_PAGE}&page=${page}`;
    const comments = await ask("GET", `${HOME}/issues/${number}/comments?${query}`);
    const own = await findOwn(comments);
    if (own) return own;
    if (comments.length < COMMENTS_A_PAGE) return undefined;
  }
  throw new Error(`it is not among the first ${MAX_PAGES * COMMENTS_A_PAGE} comments`);
}

async function comment() {
  if (!SENDABLE.test(token)) throw new Error("GITHUB_TOKEN holds a character that no token has");
  const report = await findReport();
  if (report === undefined) return "there is no report to comment with";
  const number = await findPullRequest();
  if (number === undefined) return "no open pull request has this commit, so there is no comment";
  const own = await findComment(number);
  const body = { body: `${MARK}\n${report}` };
  if (own) await ask("PATCH", `${HOME}/issues/comments/${own.id}`, body);
  else await ask("POST", `${HOME}/issues/${number}/comments`, body);
  return `the comment on pull request ${number} is ${own ? "edited" : "written"}`;
}

try {
  console.error(`shipscore: ${await comment()}.`);
} catch (error) {
  const reason = error.cause?.code ?? error.cause?.message ?? error.message;
  const message = `The report could not be written to the pull request: ${reason}.`;
  console.error(`::warning title=shipscore::${message.replace(/[%\r\n]/g, encodeURIComponent)}`);
}

// Behind a proxy that drops connections, Node 24 would go on asking for one.
process.exit();
