import * as z from "zod";
import type { StatusReporting } from "../db/deployments/status-reporting.ts";
import type { HookProvider } from "../base/hook-providers.ts";
import type { Comment, StatusState } from "../db/deployments/commit-statuses.ts";
import type { ApiAnswer, ApiRequest } from "../engine/net/post.ts";
import { readJson } from "./calls.ts";

export interface CommitStatus {
  commit: string;
  context: string;
  state: StatusState;
  description: string;
  /** Null if this server does not know its public URL. */
  target: string | null;
}

type ListedStatus = Pick<CommitStatus, "context" | "state" | "target">;

type Repository = Pick<StatusReporting, "api" | "repository">;

export interface StatusProvider {
  /** The provider's default API URL. */
  readonly api: string;
  readonly repository: RegExp;
  headers(token: string): Readonly<Record<string, string>>;
  stateOf(state: StatusState): string;
  pathOf(repository: string): string;
  statusPath(commit: string): string;
  listPath(status: Pick<CommitStatus, "commit" | "context">): string;
  bodyOf(status: CommitStatus): object;
  /** Newest first. */
  readList(list: unknown): { context: string; state: string; target: string | null }[];
  /** `answer` is about a commit that does not exist. It shows whether the token may write statuses. */
  mayWrite: (answer: ApiAnswer) => boolean;
  pullsPath(commit: string): string;
  readPulls(list: unknown): { number: number; isOpen: boolean; head: string | undefined }[];
  commentsPath(pullRequest: number): string;
  edit: { method: "PATCH" | "PUT"; pathOf: (comment: Comment) => string };
}

const SEGMENT = String.raw`(?!\.+(?:/|$))[\w.-]{1,100}`;

const GitHubList = z.array(
  z.object({ context: z.string(), state: z.string(), target_url: z.string().nullish() }),
);
const GitHubPulls = z.array(
  z.object({ number: z.int(), state: z.string(), head: z.object({ sha: z.string() }) }),
);
const GitLabPulls = z.array(
  z.object({ iid: z.int(), state: z.string(), sha: z.string().nullish() }),
);
const GitLabList = z.array(
  z.object({ name: z.string(), status: z.string(), target_url: z.string().nullish() }),
);

const GITHUB: StatusProvider = {
  api: "https://api.github.com",
  repository: new RegExp(`^${SEGMENT}/${SEGMENT}$`),
  headers: (token) => ({
    accept: "application/vnd.github+json",
    authorization: `Bearer ${token}`,
    "x-github-api-version": "2022-11-28",
  }),
  stateOf: (state) => state,
  pathOf: (repository) => `/repos/${repository}`,
  statusPath: (commit) => `/statuses/${commit}`,
  listPath: ({ commit }) => `/commits/${commit}/statuses?per_page=100`,
  bodyOf: ({ state, context, description, target }) => ({
    state,
    context,
    description,
    ...(target !== null && { target_url: target }),
  }),
  readList: (list) =>
    (GitHubList.safeParse(list).data ?? []).map(({ context, state, target_url: target }) => ({
      context,
      state,
      target: target ?? null,
    })),
  mayWrite: ({ status }) => status === 422,
  pullsPath: (commit) => `/commits/${commit}/pulls`,
  readPulls: (list) =>
    (GitHubPulls.safeParse(list).data ?? []).map(({ number, state, head }) => ({
      number,
      isOpen: state === "open",
      head: head.sha,
    })),
  commentsPath: (pullRequest) => `/issues/${pullRequest}/comments`,
  edit: { method: "PATCH", pathOf: ({ id }) => `/issues/comments/${id}` },
};

const GITLAB: StatusProvider = {
  api: "https://gitlab.com/api/v4",
  repository: new RegExp(String.raw`^(?:\d{1,20}|${SEGMENT}(?:/${SEGMENT}){1,20})$`),
  headers: (token) => ({ accept: "application/json", "private-token": token }),
  stateOf: (state) => (state === "failure" || state === "error" ? "failed" : state),
  pathOf: (repository) => `/projects/${encodeURIComponent(repository)}`,
  statusPath: (commit) => `/statuses/${commit}`,
  listPath: ({ commit, context }) =>
    `/repository/commits/${commit}/statuses?all=true&per_page=100&order_by=id&sort=desc&name=${encodeURIComponent(context)}`,
  bodyOf: ({ state, context, description, target }) => ({
    state: GITLAB.stateOf(state),
    name: context,
    description,
    ...(target !== null && { target_url: target }),
  }),
  readList: (list) =>
    (GitLabList.safeParse(list).data ?? []).map(({ name, status, target_url: target }) => ({
      context: name,
      state: status,
      target: target ?? null,
    })),
  mayWrite: ({ status, body }) => status === 404 && /commit/i.test(body),
  pullsPath: (commit) => `/repository/commits/${commit}/merge_requests`,
  readPulls: (list) =>
    (GitLabPulls.safeParse(list).data ?? []).map(({ iid, state, sha }) => ({
      number: iid,
      isOpen: state === "opened",
      head: sha ?? undefined,
    })),
  commentsPath: (pullRequest) => `/merge_requests/${pullRequest}/notes`,
  edit: {
    method: "PUT",
    pathOf: ({ id, pullRequest }) => `${GITLAB.commentsPath(pullRequest)}/${id}`,
  },
};

export const STATUS_PROVIDERS: Readonly<Partial<Record<HookProvider, StatusProvider>>> = {
  github: GITHUB,
  gitlab: GITLAB,
};

/** `setStatusReporting` has already refused a provider without commit statuses. */
export function getProvider(provider: HookProvider): StatusProvider {
  const found = STATUS_PROVIDERS[provider];
  if (found === undefined) throw new Error(`${provider} takes no statuses.`);
  return found;
}

export const buildRequest = (
  provider: StatusProvider,
  { api, repository }: Repository,
  {
    path,
    token,
    body,
    method,
  }: { path: string; token: string; body?: object; method?: ApiRequest["method"] },
): ApiRequest => ({
  method: method ?? (body === undefined ? "GET" : "POST"),
  url: `${api}${provider.pathOf(repository)}${path}`,
  headers: { ...provider.headers(token), ...(body && { "content-type": "application/json" }) },
  body: body === undefined ? null : JSON.stringify(body),
});

export const buildStatusRequest = (
  provider: StatusProvider,
  repository: Repository,
  token: string,
  status: CommitStatus,
): ApiRequest =>
  buildRequest(provider, repository, {
    token,
    path: provider.statusPath(status.commit),
    body: provider.bodyOf(status),
  });

export const buildListRequest = (
  provider: StatusProvider,
  repository: Repository,
  token: string,
  status: CommitStatus,
): ApiRequest => buildRequest(provider, repository, { token, path: provider.listPath(status) });

/** Without a target, only the newest status of the context counts. */
export function isListed(
  provider: StatusProvider,
  answer: ApiAnswer,
  status: ListedStatus,
): boolean {
  const { context, target } = status;
  const state = provider.stateOf(status.state);
  const list = provider.readList(readJson(answer));
  const own = list.filter((one) => one.context.toLowerCase() === context.toLowerCase());
  const known = target === null ? own.slice(0, 1) : own;
  return known.some((one) => one.state === state && one.target === target);
}
