import { fragment, type Fragment } from "./fragment.ts";

/**
 * Who changes something, by which door, and for which account. The operator may change what is anybody's, with or without
 * an account to act for; all others what is their account's. A hook acts for the owner of its project.
 */
export type Actor =
  | { readonly by: "operator"; readonly accountId: string | null }
  | { readonly by: "token" | "session" | "hook"; readonly accountId: string };

/** An actor with an account that gets what is made: a token, a project, a membership. */
export type AccountActor = Actor & { readonly accountId: string };

export type Operator = Extract<Actor, { by: "operator" }>;

export const OPERATOR: Operator = { by: "operator", accountId: null };

export const operatorFor = (accountId: string): AccountActor => ({ by: "operator", accountId });

/** The condition that what belongs to the account in `column` may be changed by the actor. */
export const isOf = (actor: Actor, column: Fragment): Fragment =>
  actor.by === "operator" ? fragment`true` : fragment`${column} = ${actor.accountId}`;
