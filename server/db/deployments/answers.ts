import { OWNER, type Targets } from "../alerts/alert-claims.ts";
import { claimEnded } from "../claim.ts";
import { fragment, type Fragment } from "../driver/fragment.ts";
import type { Sql } from "../driver/sql.ts";
import type { HookProvider } from "./hooks.ts";
import { ended } from "./statuses.ts";
import { done } from "../driver/rows.ts";

/** How what a hook reports is answered. `secret` is sealed. */
export interface Answer {
  id: string;
  repository: string;
  /** The address of the provider's API, without a slash at its end. */
  api: string;
  host: string;
  /** That of previews whose own would have another name each time; null for `shipscore/ENVIRONMENT`. */
  context: string | null;
  /** Whether the report is a comment on the pull request too. */
  comments: boolean;
  /** The app whose key the secret is; null for a token. */
  appId: string | null;
  installationId: string | null;
  secret: Uint8Array;
}

/** Whose statuses only this process sends, until its claim ends. */
export interface ClaimedAnswer extends Answer {
  claimId: string;
  provider: HookProvider;
  /** Null if the project was deleted meanwhile. */
  ownerId: string | null;
}

/** `refused`: the provider does not take the credential any more. */
export type AnswerState = "none" | "active" | "refused";

export const ANSWERS: Targets = {
  table: fragment`answers`,
  claimed: fragment`id, claim_id, repository, api, host, context, comments, app_id, installation_id, secret,
    (select provider from hooks where hooks.id = answers.id) as provider,
    ${OWNER} as owner_id`,
  since: fragment`(select min(due_at) from statuses where hook_id = by_owner.id and sent = 'pending')`,
};

/** Has a hook answer from now on, in place of how it did; what waits is sent so. */
export const putAnswer = (sql: Sql, projectId: string, { id, ...answer }: Answer) =>
  done(sql`
    insert into answers (id, project_id, repository, api, host, context, comments, app_id, installation_id, secret)
    values (${id}, ${projectId}, ${answer.repository}, ${answer.api}, ${answer.host}, ${answer.context}, ${answer.comments},
      ${answer.appId}, ${answer.installationId}, ${answer.secret})
    on conflict (id) do update set repository = excluded.repository, api = excluded.api, host = excluded.host,
      context = excluded.context, comments = excluded.comments, app_id = excluded.app_id, installation_id = excluded.installation_id,
      secret = excluded.secret, state = 'active', waits_until = null, ${claimEnded},
      due_at = (select min(due_at) from statuses where hook_id = excluded.id and sent = 'pending')`);

const forget = async (sql: Sql, hooks: Fragment, why: string): Promise<boolean> => {
  const forgotten = await sql`delete from answers where id in (${hooks}) returning id`;
  await sql`
    update statuses set ${ended("dead", why)} where hook_id in (${hooks}) and sent = 'pending'`;
  return forgotten.length > 0;
};

/** Forgets the credential of a hook, and what was still to be sent; false if it has none. */
export const deleteAnswer = (sql: Sql, hookId: string) =>
  forget(sql, fragment`select ${hookId}::text`, "off");

/** Forgets the credentials of a project's hooks, which its owner until now chose. */
export const forgetAnswers = (sql: Sql, projectId: string) =>
  forget(sql, fragment`select id from hooks where project_id = ${projectId}`, "handed_over");

/** How a hook answers, as its owner may know it. */
export interface ShownAnswer extends Pick<
  Answer,
  "repository" | "api" | "context" | "comments" | "appId" | "installationId"
> {
  state: Exclude<AnswerState, "none">;
}

/** How the hook in `hooks` answers, as JSON; null if it does not. */
export const shownAnswer = fragment`(
  select json_build_object('repository', repository, 'api', api, 'context', context, 'comments', comments, 'appId', app_id,
    'installationId', installation_id, 'state', state)
  from answers where answers.id = hooks.id)`;
