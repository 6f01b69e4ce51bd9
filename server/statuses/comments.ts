import { createHash } from "node:crypto";
import * as z from "zod";
import type { ClaimedAnswer } from "../db/deployments/answers.ts";
import { findComment, type TakenStatus, type TryEnd } from "../db/deployments/statuses.ts";
import type { Sql } from "../db/driver/sql.ts";
import type { ApiAnswer, Ask } from "../engine/net/post.ts";
import { NotAnswered, readJson } from "./ask.ts";
import { askAbout, type StatusProvider } from "./providers.ts";

const COMMENTS_A_PAGE = 30;
const MAX_PAGES = 30;

const Written = z.object({ id: z.int() });
/** `user` is GitHub's, `author` GitLab's. */
const Author = z.object({ id: z.int(), type: z.string().optional() });
const Comments = z.array(
  Written.extend({
    body: z.string().nullish(),
    user: Author.nullish(),
    author: Author.nullish(),
  }),
);

/** Whether an answer about a pull request that does not exist says that the comment would have been taken. */
export const mayComment = ({ status }: ApiAnswer): boolean => [404, 410, 422].includes(status);

/** Asks for a comment on a pull request. */
export const askToComment = (
  provider: StatusProvider,
  place: Parameters<typeof askAbout>[1],
  token: string,
  [pullRequest, body]: [number, string],
): Ask =>
  askAbout(provider, place, { token, path: provider.commentsPath(pullRequest), body: { body } });

/** Who comments, and how. */
export interface Commenting {
  sql: Sql;
  claimed: ClaimedAnswer;
  provider: StatusProvider;
  token: string;
  /** Throws `NotAnswered`. */
  ask: (ask: Ask) => Promise<ApiAnswer>;
}

/** A mark in a comment that the credential did not write is a copy. */
async function findMarked(
  { claimed, provider, token, ask }: Commenting,
  pullRequest: number,
  mark: string,
): Promise<string | undefined> {
  const get = async (path: string) =>
    readJson(await ask(askAbout(provider, claimed, { token, path })));
  let asking: Promise<ApiAnswer> | undefined;
  for (let page = 1; page <= MAX_PAGES; page++) {
    const query = `per_page=${COMMENTS_A_PAGE}&page=${page}`;
    const list = await get(`${provider.commentsPath(pullRequest)}?${query}`);
    const comments = Comments.safeParse(list).data ?? [];
    for (const { id, user, author = user, ...one } of comments) {
      if (!one.body?.startsWith(mark)) continue;
      if (claimed.appId !== null && author?.type === "Bot") return String(id);
      if (claimed.appId !== null) continue;
      const url = `${claimed.api}/user`;
      // Once, however many copies there are.
      asking ??= ask({ ...askAbout(provider, claimed, { token, path: "" }), url });
      if (Written.safeParse(readJson(await asking)).data?.id === author?.id) return String(id);
    }
    if (comments.length < COMMENTS_A_PAGE) return undefined;
  }
  return undefined;
}

/** Keeps the report of a context in one comment on the open pull request that has the commit. Throws `NotAnswered`. */
export async function writeComment(
  commenting: Commenting,
  status: TakenStatus & { state: "comment" },
): Promise<TryEnd> {
  const { sql, claimed, provider, token, ask } = commenting;
  const { commit, context, report } = status;
  const path = provider.pullsPath(commit);
  const listed = provider.readPulls(
    readJson(await ask(askAbout(provider, claimed, { token, path }))),
  );
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
