import { fragment, type Fragment } from "../driver/fragment.ts";

/** The operator may change anything, for an account or for none. */
export interface Operator {
  readonly by: "operator";
  readonly accountId: string | null;
}

/** Somebody who is signed in to the application; may change what belongs to their account. */
export interface SessionActor {
  readonly by: "session";
  readonly accountId: string;
  readonly sessionId: string;
  /** The address that the request came from (`findVisitor`). */
  readonly address: string;
}

/** A program that sends an API token; may have URLs checked for its account, but change no project and no token. */
export interface TokenActor {
  readonly by: "token";
  readonly accountId: string;
}

/** A project's webhook; records deployments of this one project, for its owner. */
export interface HookActor {
  readonly by: "hook";
  readonly accountId: string;
  readonly projectId: string;
}

/** Who may change projects and tokens. */
export type Manager = Operator | SessionActor;

export type Recorder = Manager | HookActor;

/** Whom a credential in a request can identify (`CredentialKind`), and who may have URLs checked. */
export type CredentialActor = SessionActor | TokenActor;

/** An actor with an account, to which what is created belongs: a token, a project, a membership. */
export type ForAccount<Kind extends Manager> = Kind & { readonly accountId: string };

export const OPERATOR: Operator = { by: "operator", accountId: null };

export const operatorFor = (accountId: string): ForAccount<Operator> => ({
  by: "operator",
  accountId,
});

/** True in SQL where the actor may change what belongs to the account in `column`. */
export const isOf = (actor: Recorder, column: Fragment): Fragment =>
  actor.by === "operator" ? fragment`true` : fragment`${column} = ${actor.accountId}`;
