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
import { NotAnswered, readJson } from "./ask.ts";
import { askAbout, type StatusProvider } from "./providers.ts";

/** Each is a multiple of the next, so that a smaller page begins where a larger one would. */
const PAGE_SIZES = [30, 10, 5, 1];
const MAX_REQUESTS = 30;

const Written = z.object({ id: z.int() });
/** `user` is GitHub's, `author` GitLab's. */
const Author = z.object({ id: z.int(), type: z.string().optional() });
const App = z.object({ id: z.int(), client_id: z.string().optional() });
const Comment = Written.extend({
  body: z.string().nullish(),
  user: Author.nullish(),
  author: Author.nullish(),
  performed_via_github_app: App.nullish(),
});
const Comments = z.array(Comment);

/** Whether an answer about a pull request that does not exist says that the comment would have been taken. */
export const mayComment = ({ status }: ApiAnswer): boolean => [404, 410, 422].includes(status);

/** Asks for a comment on a pull request. */
export const askToComment = (
  provider: StatusProvider,
  repository: Parameters<typeof askAbout>[1],
  token: string,
  [pullRequest, body]: [number, string],
): ApiRequest =>
  askAbout(provider, repository, {
    token,
    path: provider.commentsPath(pullRequest),
    body: { body },
  });

/** Who comments, and how. */
export interface Commenting {
  sql: Sql;
  claimed: ClaimedReporting;
  provider: StatusProvider;
  token: string;
  /** Throws `NotAnswered`. */
  ask: (ask: ApiRequest) => Promise<ApiAnswer>;
}

/** The answer to a request; null if it is too long. */
const askForPage = ({ ask }: Commenting, wanted: ApiRequest): Promise<ApiAnswer | null> =>
  ask(wanted).catch((error: unknown) => {
    if (error instanceof NotAnswered && error.isTooLong) return null;
    throw error;
  });

/** The pages of a list. One that is too long is requested in smaller ones; an entry that is too long alone is left out. */
async function* readPages(commenting: Commenting, path: string): AsyncGenerator<unknown[]> {
  const { claimed, provider, token } = commenting;
  let read = 0;
  let maxSize = Infinity;
  for (let requests = 0; requests < MAX_REQUESTS; requests++) {
    const size = PAGE_SIZES.find((one) => one < maxSize && read % one === 0) ?? 1;
    const query = `per_page=${size}&page=${read / size + 1}`;
    const asked = askAbout(provider, claimed, { token, path: `${path}?${query}` });
    const answer = await askForPage(commenting, asked);
    const page = z.array(z.unknown()).safeParse(answer && readJson(answer)).data;
    const isDivisible = page === undefined && size > 1;
    maxSize = isDivisible ? size : Infinity;
    if (isDivisible) continue;
    yield page ?? [];
    if (page !== undefined && page.length < size) return;
    read += size;
  }
}

/** An older GitHub Enterprise Server does not say which app wrote a bot's comment. */
const isOfApp = (
  { user, performed_via_github_app: app }: z.infer<typeof Comment>,
  appId: string,
): boolean => (app ? [String(app.id), app.client_id].includes(appId) : user?.type === "Bot");

/** A mark in a comment that the credential did not write is a copy. */
async function findMarked(
  commenting: Commenting,
  pullRequest: number,
  mark: string,
): Promise<string | undefined> {
  const { claimed, provider, token, ask } = commenting;
  let asking: Promise<ApiAnswer> | undefined;
  for await (const page of readPages(commenting, provider.commentsPath(pullRequest))) {
    for (const comment of Comments.safeParse(page).data ?? []) {
      if (!comment.body?.startsWith(mark)) continue;
      const id = String(comment.id);
      if (claimed.appId !== null) {
        if (isOfApp(comment, claimed.appId)) return id;
        continue;
      }
      const author = comment.author ?? comment.user;
      const url = `${claimed.api}/user`;
      // Once, however many copies there are.
      asking ??= ask({ ...askAbout(provider, claimed, { token, path: "" }), url });
      if (Written.safeParse(readJson(await asking)).data?.id === author?.id) return id;
    }
  }
  return undefined;
}

/** Keeps the report of a context in one comment on the open pull request that has the commit. Throws `NotAnswered`. */
export async function writeComment(
  commenting: Commenting,
  status: ClaimedStatus & { state: "comment" },
): Promise<AttemptResult> {
  const { sql, claimed, provider, token, ask } = commenting;
  const { commit, context, report } = status;
  const listed: ReturnType<StatusProvider["readPulls"]> = [];
  for await (const page of readPages(commenting, provider.pullsPath(commit)))
    listed.push(...provider.readPulls(page));
  const open = listed.filter(({ isOpen }) => isOpen);
  const pullRequest = (open.find(({ head }) => head === commit) ?? open[0])?.number;
  if (pullRequest === undefined) return { as: "none" };
  const known = await findComment(sql, status, pullRequest);
  if (known?.isNewer) return { as: "superseded" };
  const key = createHash("sha256").update(`${claimed.id}\n${context}`).digest("hex").slice(0, 16);
  const mark = `<!-- shipscore ${key} -->`;
  const body = `${mark}\n${report}`;
  const id = known?.id ?? (await findMarked(commenting, pullRequest, mark));
  if (id !== undefined) {
    const comment = { id, pullRequest };
    const { method, pathOf } = provider.edit;
    try {
      await ask(
        askAbout(provider, claimed, { token, path: pathOf(comment), method, body: { body } }),
      );
      return { as: "sent", comment };
    } catch (error) {
      // Somebody deleted it.
      if (!(error instanceof NotAnswered) || !error.is(404, 410)) throw error;
    }
  }
  const written = readJson(await ask(askToComment(provider, claimed, token, [pullRequest, body])));
  const { data } = Written.safeParse(written);
  if (data === undefined) throw new NotAnswered({ failure: "cut_off" });
  return { as: "sent", comment: { id: String(data.id), pullRequest } };
}
