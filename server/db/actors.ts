import type { CredentialKind } from "./callers.ts";
import { fragment, type Fragment } from "./fragment.ts";

/**
 * Who changes something: through which door, and for which account. The operator may change anything, for an account or
 * for none. Everybody else may change only what belongs to their account. A hook acts for the owner of its project.
 */
export type Actor =
  | { readonly by: "operator"; readonly accountId: string | null }
  | { readonly by: CredentialKind; readonly accountId: string };

/** An actor with an account, to which what is created belongs: a token, a project, a membership. */
export type AccountActor = Actor & { readonly accountId: string };

export type Operator = Extract<Actor, { by: "operator" }>;

export const OPERATOR: Operator = { by: "operator", accountId: null };

export const operatorFor = (accountId: string): AccountActor => ({ by: "operator", accountId });

/** True in SQL where the actor may change what belongs to the account in `column`. */
export const isOf = (actor: Actor, column: Fragment): Fragment =>
  actor.by === "operator" ? fragment`true` : fragment`${column} = ${actor.accountId}`;
