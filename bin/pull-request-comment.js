/*
 * Keeps the report of a job in one comment on its pull request. A hidden mark identifies the comment. A failure here never
 * changes the result of the job. This is a separate program because Node 24 reads HTTPS_PROXY for `fetch` only at its start.
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
/** With other characters, the error of the request would repeat the whole token. */
const SENDABLE = /^[!-~]+$/;

async function request(method, path, body, url = `${api}/${path}`) {
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
  throw new Error(`${method} ${path} returned ${response.status}${advice}`);
}

async function findReport() {
  const outputs = await readFile(outputPath, "utf8");
  return /^report<<(\S+)\n([^]*?)\n\1$/m.exec(outputs)?.[2];
}

async function findPullRequest() {
  const event = eventPath ? JSON.parse(await readFile(eventPath, "utf8")) : {};
  const number = event.pull_request?.number ?? /^refs\/pull\/(\d+)\//.exec(ref)?.[1];
  if (number) return number;
  const commit = event.deployment?.sha ?? event.workflow_run?.head_sha ?? pushed;
  const pulls = await request("GET", `${HOME}/commits/${encodeURIComponent(commit)}/pulls`);
  const open = pulls.filter(({ state }) => state === "open");
  return (open.find(({ head }) => head?.sha === commit) ?? open[0])?.number;
}

const QUERY = `query($ids: [ID!]!) { nodes(ids: $ids) { ... on IssueComment { viewerDidAuthor } } }`;

/** A mark by another author, or by an unknown one, is a copy. */
async function findOwnComment(comments) {
  const marked = comments.filter(({ body }) => body?.startsWith(MARK));
  if (marked.length === 0) return undefined;
  const question = { query: QUERY, variables: { ids: marked.map((one) => one.node_id) } };
  const { data } = await request("POST", "graphql", question, graphql).catch(() => ({}));
  return marked.find((_, index) => data?.nodes?.[index]?.viewerDidAuthor === true);
}

async function findComment(number) {
  for (let page = 1; page <= MAX_PAGES; page++) {
    const query = `per_page=${COMMENTS_A_PAGE}&page=${page}`;
    const comments = await request("GET", `${HOME}/issues/${number}/comments?${query}`);
    const own = await findOwnComment(comments);
    if (own) return own;
    if (comments.length < COMMENTS_A_PAGE) return undefined;
  }
  throw new Error(`it is not among the first ${MAX_PAGES * COMMENTS_A_PAGE} comments`);
}

async function comment() {
  if (!SENDABLE.test(token)) throw new Error("GITHUB_TOKEN has a character that no token has");
  const report = await findReport();
  if (report === undefined) return "there is no report to comment with";
  const number = await findPullRequest();
  if (number === undefined)
    return "no open pull request has this commit, so no comment was written";
  const own = await findComment(number);
  const body = { body: `${MARK}\n${report}` };
  if (own) await request("PATCH", `${HOME}/issues/comments/${own.id}`, body);
  else await request("POST", `${HOME}/issues/${number}/comments`, body);
  return `the comment on pull request ${number} has been ${own ? "updated" : "written"}`;
}

try {
  console.error(`shipscore: ${await comment()}.`);
} catch (error) {
  const reason = error.cause?.code ?? error.cause?.message ?? error.message;
  const message = `The report could not be written to the pull request: ${reason}.`;
  console.error(`::warning title=shipscore::${message.replace(/[%\r\n]/g, encodeURIComponent)}`);
}

// Behind a proxy that drops connections, Node 24 would keep trying to connect.
process.exit();
