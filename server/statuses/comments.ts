import { createHash } from "node:crypto";
import * as z from "zod";
import type { ClaimedReporting } from "../db/deployments/status-reporting.ts";
import {
  findComment,
  type ClaimedStatus,
  type AttemptResult,
} from "../db/deployments/commit-statuses.ts";
import type { Sql } from "../db/driver/sql.ts";
import type { ApiAnswer, ApiRequest } from "../engine/net/post.ts";
import { ProviderError, readJson } from "./calls.ts";
import { buildRequest, type StatusProvider } from "./providers.ts";

/** Each size is a multiple of the next, so that a smaller page can start where a larger one would. */
const PAGE_SIZES = [30, 10, 5, 1];
const MAX_REQUESTS = 30;

const WithId = z.object({ id: z.int() });
/** GitHub names the author `user`. GitLab names the author `author`. */
const Author = z.object({ id: z.int(), type: z.string().optional() });
const App = z.object({ id: z.int(), client_id: z.string().optional() });
const Comment = WithId.extend({
  body: z.string().nullish(),
  user: Author.nullish(),
  author: Author.nullish(),
  performed_via_github_app: App.nullish(),
});
const Comments = z.array(Comment);

/** `status` is the answer about a pull request that does not exist. It shows whether the token may comment. */
export const mayComment = ({ status }: ApiAnswer): boolean => [404, 410, 422].includes(status);

export const buildCommentRequest = (
  provider: StatusProvider,
  repository: Parameters<typeof buildRequest>[1],
  token: string,
  [pullRequest, body]: [number, string],
): ApiRequest =>
  buildRequest(provider, repository, {
    token,
    path: provider.commentsPath(pullRequest),
    body: { body },
  });

export interface CommentContext {
  sql: Sql;
  claimed: ClaimedReporting;
  provider: StatusProvider;
  token: string;
  /** Throws `ProviderError`. */
  ask: (ask: ApiRequest) => Promise<ApiAnswer>;
}

const fetchPage = ({ ask }: CommentContext, wanted: ApiRequest): Promise<ApiAnswer | null> =>
  ask(wanted).catch((error: unknown) => {
    if (error instanceof ProviderError && error.isTooLong) return null;
    throw error;
  });

/** Splits a page that is too long, and skips a single entry that is too long. */
async function* readPages(commenter: CommentContext, path: string): AsyncGenerator<unknown[]> {
  const { claimed, provider, token } = commenter;
  let read = 0;
  let maxSize = Infinity;
  for (let requests = 0; requests < MAX_REQUESTS; requests++) {
    const size = PAGE_SIZES.find((one) => one < maxSize && read % one === 0) ?? 1;
    const query = `per_page=${size}&page=${read / size + 1}`;
    const request = buildRequest(provider, claimed, { token, path: `${path}?${query}` });
    const answer = await fetchPage(commenter, request);
    const page = z.array(z.unknown()).safeParse(answer && readJson(answer)).data;
    const isDivisible = page === undefined && size > 1;
    maxSize = isDivisible ? size : Infinity;
    if (isDivisible) continue;
    yield page ?? [];
    if (page !== undefined && page.length < size) return;
    read += size;
  }
}

/** Older versions of GitHub Enterprise Server do not name the app that wrote a bot's comment. */
const isOfApp = (
  { user, performed_via_github_app: app }: z.infer<typeof Comment>,
  appId: string,
): boolean => (app ? [String(app.id), app.client_id].includes(appId) : user?.type === "Bot");

/** Ignores a mark in another author's comment, since such a mark is a copy. */
async function findMarkedComment(
  commenter: CommentContext,
  pullRequest: number,
  mark: string,
): Promise<string | undefined> {
  const { claimed, provider, token, ask } = commenter;
  let user: Promise<ApiAnswer> | undefined;
  for await (const page of readPages(commenter, provider.commentsPath(pullRequest))) {
    for (const comment of Comments.safeParse(page).data ?? []) {
      if (!comment.body?.startsWith(mark)) continue;
      const id = String(comment.id);
      if (claimed.appId !== null) {
        if (isOfApp(comment, claimed.appId)) return id;
        continue;
      }
      const author = comment.author ?? comment.user;
      const url = `${claimed.api}/user`;
      // Sends only one request, even if there are many copies.
      user ??= ask({ ...buildRequest(provider, claimed, { token, path: "" }), url });
      if (WithId.safeParse(readJson(await user)).data?.id === author?.id) return id;
    }
  }
  return undefined;
}

/** Each status context has one comment on a pull request. Throws `ProviderError`. */
export async function writeComment(
  commenter: CommentContext,
  status: ClaimedStatus & { state: "comment" },
): Promise<AttemptResult> {
  const { sql, claimed, provider, token, ask } = commenter;
  const { commit, context, report } = status;
  const listed: ReturnType<StatusProvider["readPulls"]> = [];
  for await (const page of readPages(commenter, provider.pullsPath(commit)))
    listed.push(...provider.readPulls(page));
  const open = listed.filter(({ isOpen }) => isOpen);
  const pullRequest = (open.find(({ head }) => head === commit) ?? open[0])?.number;
  if (pullRequest === undefined) return { as: "none" };
  const known = await findComment(sql, status, pullRequest);
  if (known?.isNewer) return { as: "superseded" };
  const key = createHash("sha256").update(`${claimed.id}\n${context}`).digest("hex").slice(0, 16);
  const mark = `<!-- shipscore ${key} -->`;
  const body = `${mark}\n${report}`;
  const id = known?.id ?? (await findMarkedComment(commenter, pullRequest, mark));
  if (id !== undefined) {
    const comment = { id, pullRequest };
    const { method, pathOf } = provider.edit;
    try {
      await ask(
        buildRequest(provider, claimed, { token, path: pathOf(comment), method, body: { body } }),
      );
      return { as: "sent", comment };
    } catch (error) {
      // The comment was deleted.
      if (!(error instanceof ProviderError) || !error.hasStatus(404, 410)) throw error;
    }
  }
  const created = readJson(
    await ask(buildCommentRequest(provider, claimed, token, [pullRequest, body])),
  );
  const { data } = WithId.safeParse(created);
  if (data === undefined) throw new ProviderError({ failure: "cut_off" });
  return { as: "sent", comment: { id: String(data.id), pullRequest } };
}
