import type { IncomingMessage, ServerResponse } from "node:http";
import { text as readText } from "node:stream/consumers";
import type { components, operations } from "@octokit/openapi-types";
import * as z from "zod";
import { startSite, type Site } from "./site.ts";

/** A stored status: its commit and its body. */
export interface StoredStatus {
  commit: string;
  context: string;
  state: string;
  description: string | null;
  target_url: string | null;
}

/** A pull request with the commits of this host. */
export interface Pull {
  number: number;
  state: "open" | "closed";
  head: string;
  description?: string;
}

export interface StoredComment {
  id: number;
  pull: number;
  body: string;
  author: number;
}

/**
 * The answer to the next write: a status, headers and a body. With `taken`, the host stores the write and cuts the connection. With
 * `onTaken`, the host stores it and never answers.
 */
export type Reply =
  | { status: number; headers?: Record<string, string>; body?: object }
  | { taken: true; onTaken?: () => void };

/** An https server that accepts statuses for one repository by its provider's published API. */
export interface StatusHost extends Site {
  /** The URL of the API, as an argument of `hook reporting`. */
  api: string;
  host: string;
  /** The stored statuses, oldest first. */
  statuses: StoredStatus[];
  /** All requests, as `METHOD path`, oldest first. */
  requested: string[];
  reply(...replies: Reply[]): void;
  pulls: Pull[];
  comments: StoredComment[];
  /** The requests for tokens with the App's key: their claims, and their body. */
  tokenRequests: { authorization: string; body: unknown }[];
}

export const REPOSITORY = "harbour-shop/storefront";
export const TOKEN = "github_pat_0123456789abcdefABCDEF";
export const APP_TOKEN = "ghs_installation0123456789";
const NO_COMMIT = "0".repeat(40);

const line = (max: number) => z.string().max(max).nullish().default(null);

type Schemas = components["schemas"];
type BodyOf<Name extends keyof operations> = operations[Name] extends {
  requestBody?: { content: { "application/json": infer Body } };
}
  ? Body
  : never;

/** A strict schema with the members of a body in GitHub's OpenAPI. */
const bodyOf = <Name extends keyof operations>(
  shape: Readonly<Record<keyof BodyOf<Name>, z.ZodType>>,
): z.ZodType<BodyOf<Name>> => z.strictObject(shape) as never;

/** The schema has the limits of GitHub's documentation. */
const GitHubStatus = bodyOf<"repos/create-commit-status">({
  state: z.enum(["error", "failure", "pending", "success"]),
  target_url: z.url().nullish().default(null),
  description: line(140),
  context: z.string().min(1).max(255).default("default"),
});

const MAX_COMMENT = 65_536;
const GitHubComment = bodyOf<"issues/create-comment">({
  body: z.string().min(1).max(MAX_COMMENT),
});

/** `POST /projects/:id/statuses/:sha` of GitLab's OpenAPI. */
const GitLabStatus = z.strictObject({
  state: z.enum(["pending", "running", "success", "failed", "canceled", "skipped"]),
  name: z.string().min(1).max(255).default("default"),
  target_url: z.url().max(255).nullish().default(null),
  description: line(255),
});

interface CommentPath {
  commit: string | undefined;
  pull: number | undefined;
  id: number | undefined;
}

interface Dialect {
  prefix: string;
  isAuthorized(headers: IncomingMessage["headers"]): boolean;
  unauthorized: object;
  /** Returns the commit in a path, or undefined for another path or repository. */
  find(path: string): { commit: string } | undefined;
  noCommit: { status: number; body: object };
  read(body: unknown): Omit<StoredStatus, "commit"> | undefined;
  list(statuses: readonly StoredStatus[]): object[];
  /** Parses a path of the pull requests' API; undefined for any other path. */
  findComment(path: string): CommentPath | undefined;
  edits: "PATCH" | "PUT";
  listPull(pull: Pull): object;
  listComment(comment: StoredComment): object;
}

/** The user to whom the tokens belong. */
export const OWN_USER = 40;
/** The app to which `APP_TOKEN` belongs. */
export const OWN_APP = 12;
const numberOf = (text: string | undefined) => (text === undefined ? undefined : Number(text));

const GITHUB: Dialect = {
  prefix: "/api/v3",
  isAuthorized: ({ authorization = "" }) =>
    [TOKEN, APP_TOKEN].some((one) => authorization === `Bearer ${one}`),
  unauthorized: { message: "Bad credentials", status: "401" },
  find(path) {
    const found = new RegExp(
      `^/repos/${REPOSITORY}/(?:statuses/([0-9a-f]{40})|commits/([0-9a-f]{40})/statuses)$`,
    ).exec(path);
    return found ? { commit: found[1] ?? found[2] ?? "" } : undefined;
  },
  noCommit: { status: 422, body: { message: `No commit found for SHA: ${NO_COMMIT}` } },
  read(body) {
    const { data } = GitHubStatus.safeParse(body);
    const { context = "default", description = null, target_url = null } = data ?? {};
    return data && { state: data.state, context, description, target_url };
  },
  list: (statuses) =>
    statuses
      .map(
        (
          one,
          id,
        ): Pick<Schemas["status"], (keyof StoredStatus & keyof Schemas["status"]) | "id"> => ({
          id,
          ...one,
        }),
      )
      .toReversed(),
  findComment(path) {
    const [, commit, pull, id] =
      new RegExp(
        `^/repos/${REPOSITORY}/(?:commits/(\\w+)/pulls|issues/(\\d+)/comments|issues/comments/(\\d+))$`,
      ).exec(path) ?? [];
    return (commit ?? pull ?? id) === undefined
      ? undefined
      : { commit, pull: numberOf(pull), id: numberOf(id) };
  },
  edits: "PATCH",
  listPull: ({ number, state, head: sha, description: body = null }) =>
    ({ number, state, head: { sha }, body }) satisfies Partial<
      Omit<Schemas["pull-request-simple"], "head">
    > & { head: Partial<Schemas["pull-request-simple"]["head"]> },
  listComment: ({ id, body, author }) =>
    ({
      id,
      body,
      user: { id: author, type: author === OWN_USER ? "Bot" : "User" },
      performed_via_github_app: { id: author === OWN_USER ? OWN_APP : OWN_APP + 1 },
    }) satisfies Partial<Omit<Schemas["issue-comment"], "user" | "performed_via_github_app">> & {
      user: Partial<Schemas["simple-user"]>;
      performed_via_github_app: Partial<Schemas["integration"]>;
    },
};

const GITLAB: Dialect = {
  prefix: "/api/v4",
  isAuthorized: (headers) => headers["private-token"] === TOKEN,
  unauthorized: { message: "401 Unauthorized" },
  find(path) {
    const found =
      /^\/projects\/(?:30|harbour%2Fstorefront)\/(?:statuses\/([0-9a-f]{40})|repository\/commits\/([0-9a-f]{40})\/statuses)$/.exec(
        path,
      );
    return found ? { commit: found[1] ?? found[2] ?? "" } : undefined;
  },
  noCommit: { status: 404, body: { message: "404 Commit Not Found" } },
  read(body) {
    const { data } = GitLabStatus.safeParse(body);
    if (data === undefined) return undefined;
    const { name: context, ...rest } = data;
    return { context, ...rest };
  },
  list: (statuses) =>
    statuses.map(({ commit: sha, context: name, state: status, ...one }, id) => ({
      id,
      sha,
      name,
      status,
      ...one,
    })),
  findComment(path) {
    const [, commit, pull, id] =
      /^\/projects\/(?:30|harbour%2Fstorefront)\/(?:repository\/commits\/(\w+)\/merge_requests|merge_requests\/(\d+)\/notes(?:\/(\d+))?)$/.exec(
        path,
      ) ?? [];
    return (commit ?? pull) === undefined
      ? undefined
      : { commit, pull: numberOf(pull), id: numberOf(id) };
  },
  edits: "PUT",
  listPull: ({ number: iid, state, head: sha, description }) => ({
    iid,
    description,
    state: state === "open" ? "opened" : state,
    sha,
  }),
  listComment: ({ id, body, author }) => ({ id, body, author: { id: author } }),
};

function send(response: ServerResponse, status: number, body: object, headers = {}): void {
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(JSON.stringify(body));
}

async function startHost(dialect: Dialect): Promise<StatusHost> {
  const statuses: StoredStatus[] = [];
  const requested: string[] = [];
  const replies: Reply[] = [];
  const tokenRequests: StatusHost["tokenRequests"] = [];
  const pulls: Pull[] = [];
  const comments: StoredComment[] = [];

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = "", headers } = request;
    const [path = ""] = (request.url ?? "").slice(dialect.prefix.length).split("?");
    const body = (await readText(request)) || "{}";
    if (path === "/app/installations/7/access_tokens") {
      tokenRequests.push({ authorization: headers.authorization ?? "", body: JSON.parse(body) });
      const expires_at = new Date(Date.now() + 3_600_000).toISOString();
      send(response, 201, { token: APP_TOKEN, expires_at, permissions: { statuses: "write" } });
      return;
    }
    const found = dialect.find(path);
    const exchange = dialect.findComment(path);
    const isTrial = found?.commit === NO_COMMIT;
    if (!isTrial) requested.push(`${method} ${path}`);
    const reply = method !== "GET" && !isTrial ? replies.shift() : undefined;
    if (reply && "status" in reply)
      return send(response, reply.status, reply.body ?? {}, reply.headers);
    if (!dialect.isAuthorized(headers)) return send(response, 401, dialect.unauthorized);
    if (path === "/user") return send(response, 200, { id: OWN_USER });
    if (exchange)
      return answerComments(request, response, { ...exchange, body: JSON.parse(body), reply });
    if (found === undefined) return send(response, 404, { message: "404 Not Found" });
    if (isTrial) return send(response, dialect.noCommit.status, dialect.noCommit.body);
    const ofCommit = statuses.filter(({ commit }) => commit === found.commit);
    if (method === "GET") return send(response, 200, dialect.list(ofCommit));
    const status = dialect.read(JSON.parse(body));
    if (status === undefined) return send(response, 422, { message: "Validation Failed" });
    statuses.push({ commit: found.commit, ...status });
    if (reply === undefined) return send(response, 201, { id: statuses.length });
    if (reply.onTaken) reply.onTaken();
    else request.socket.destroy();
  }

  interface Exchange extends CommentPath {
    body: unknown;
    reply: Reply | undefined;
  }

  function answerComments(
    { method, url = "", socket }: IncomingMessage,
    response: ServerResponse,
    { commit, pull, id, body, reply }: Exchange,
  ): void {
    const query = new URL(url, "https://host/").searchParams;
    const [size, page] = ["per_page", "page"].map((name) => Number(query.get(name)));
    const pageOf = <One>(all: One[]) => all.slice((page! - 1) * size!, page! * size!);
    if (commit !== undefined)
      return send(
        response,
        200,
        pageOf(pulls).map((one) => dialect.listPull(one)),
      );
    const isThere = pulls.some(({ number }) => number === pull);
    const present = comments.find((one) => one.id === id);
    if (id === undefined ? !isThere : present === undefined || method !== dialect.edits)
      return send(response, 404, { message: "Not Found" });
    if (method === "GET") {
      const own = comments.filter((one) => one.pull === pull);
      return send(
        response,
        200,
        pageOf(own).map((one) => dialect.listComment(one)),
      );
    }
    const { data } = GitHubComment.safeParse(body);
    if (data === undefined) return send(response, 422, { message: "Validation Failed" });
    const comment = present ?? { id: comments.length + 1, pull: pull!, body: "", author: OWN_USER };
    comment.body = data.body;
    if (present === undefined) comments.push(comment);
    if (reply === undefined)
      return send(response, present ? 200 : 201, dialect.listComment(comment));
    socket.destroy();
  }

  const site = await startSite({
    routes: { "*": (request, response) => void handle(request, response) },
  });
  const host = `127.0.0.1:${site.port}`;
  const api = `https://${host}${dialect.prefix}`;
  const reply = (...next: Reply[]) => void replies.push(...next);
  return Object.assign(site, {
    api,
    host,
    statuses,
    requested,
    reply,
    pulls,
    comments,
    tokenRequests,
  });
}

export const startGitHub = (): Promise<StatusHost> => startHost(GITHUB);
export const startGitLab = (): Promise<StatusHost> => startHost(GITLAB);
