import type { IncomingMessage, ServerResponse } from "node:http";
import { text as readText } from "node:stream/consumers";
import * as z from "zod";
import { startSite, type Site } from "./site.ts";

/** A status as the host keeps it: its commit, and the body that it was written with. */
export interface Kept {
  commit: string;
  context: string;
  state: string;
  description: string | null;
  target_url: string | null;
}

/** How the next write is answered: with a status, headers and a body; or taken, and the connection cut, or never answered with `onTaken`. */
export type Reply =
  | { status: number; headers?: Record<string, string>; body?: object }
  | { taken: true; onTaken?: () => void };

/** An https server that takes statuses of one repository as its provider's published API does. */
export interface StatusHost extends Site {
  /** The address of the API, as it is given to `hook answer`. */
  api: string;
  host: string;
  /** What was taken, oldest first. */
  kept: Kept[];
  /** The requests for lists and writes of commits that there are, oldest first. */
  asked: string[];
  reply(...replies: Reply[]): void;
  /** What the App's key was used for: the claims, and the body. */
  tokensAsked: { authorization: string; body: unknown }[];
}

export const REPOSITORY = "harbour-shop/storefront";
export const TOKEN = "github_pat_0123456789abcdefABCDEF";
export const APP_TOKEN = "ghs_installation0123456789";
const NO_COMMIT = "0".repeat(40);

const text = (max: number) => z.string().max(max).nullish().default(null);

/** `repos/create-commit-status` of GitHub's OpenAPI, with the limits of its documentation. */
const GitHubStatus = z.strictObject({
  state: z.enum(["error", "failure", "pending", "success"]),
  target_url: z.url().nullish().default(null),
  description: text(140),
  context: z.string().min(1).max(255).default("default"),
});

/** `POST /projects/:id/statuses/:sha` of GitLab's OpenAPI. */
const GitLabStatus = z.strictObject({
  state: z.enum(["pending", "running", "success", "failed", "canceled", "skipped"]),
  name: z.string().min(1).max(255).default("default"),
  target_url: z.url().max(255).nullish().default(null),
  description: text(255),
});

interface Dialect {
  prefix: string;
  isAuthorized(headers: IncomingMessage["headers"]): boolean;
  unauthorized: object;
  /** The commit of a path, and whether it is written to; undefined for another path or repository. */
  find(path: string): { commit: string } | undefined;
  noCommit: { status: number; body: object };
  read(body: unknown): Omit<Kept, "commit"> | undefined;
  list(kept: readonly Kept[]): object[];
}

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
  read: (body) => GitHubStatus.safeParse(body).data,
  list: (kept) => kept.map((one, id) => ({ id, ...one })).toReversed(),
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
  list: (kept) =>
    kept.map(({ commit: sha, context: name, state: status, ...one }, id) => ({
      id,
      sha,
      name,
      status,
      ...one,
    })),
};

const send = (response: ServerResponse, status: number, body: object, headers = {}) =>
  response
    .writeHead(status, { "content-type": "application/json", ...headers })
    .end(JSON.stringify(body));

async function startHost(dialect: Dialect): Promise<StatusHost> {
  const kept: Kept[] = [];
  const asked: string[] = [];
  const replies: Reply[] = [];
  const tokensAsked: StatusHost["tokensAsked"] = [];

  async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = "", headers } = request;
    const [path = ""] = (request.url ?? "").slice(dialect.prefix.length).split("?");
    const body = (await readText(request)) || "{}";
    if (path === "/app/installations/7/access_tokens") {
      tokensAsked.push({ authorization: headers.authorization ?? "", body: JSON.parse(body) });
      const expires_at = new Date(Date.now() + 3_600_000).toISOString();
      send(response, 201, { token: APP_TOKEN, expires_at, permissions: { statuses: "write" } });
      return;
    }
    const found = dialect.find(path);
    const isTry = found?.commit === NO_COMMIT;
    if (!isTry) asked.push(`${method} ${path}`);
    const reply = method === "POST" && !isTry ? replies.shift() : undefined;
    if (reply && "status" in reply)
      return void send(response, reply.status, reply.body ?? {}, reply.headers);
    if (!dialect.isAuthorized(headers)) return void send(response, 401, dialect.unauthorized);
    if (found === undefined) return void send(response, 404, { message: "404 Not Found" });
    if (isTry) return void send(response, dialect.noCommit.status, dialect.noCommit.body);
    const ofCommit = kept.filter(({ commit }) => commit === found.commit);
    if (method === "GET") return void send(response, 200, dialect.list(ofCommit));
    const status = dialect.read(JSON.parse(body));
    if (status === undefined) return void send(response, 422, { message: "Validation Failed" });
    kept.push({ commit: found.commit, ...status });
    if (reply === undefined) return void send(response, 201, { id: kept.length });
    if (reply.onTaken) reply.onTaken();
    else request.socket.destroy();
  }

  const site = await startSite({
    routes: { "*": (request, response) => void take(request, response) },
  });
  const host = `127.0.0.1:${site.port}`;
  const api = `https://${host}${dialect.prefix}`;
  const reply = (...next: Reply[]) => void replies.push(...next);
  return Object.assign(site, { api, host, kept, asked, reply, tokensAsked });
}

export const startGitHub = (): Promise<StatusHost> => startHost(GITHUB);
export const startGitLab = (): Promise<StatusHost> => startHost(GITLAB);
