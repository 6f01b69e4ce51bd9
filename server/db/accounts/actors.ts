import { fragment, type Fragment } from "../driver/fragment.ts";

/** May change anything, for an account or for none. */
export interface Operator {
  readonly by: "operator";
  readonly accountId: string | null;
}

/** A user who is signed in to the application; may change what belongs to their account. */
export interface SessionActor {
  readonly by: "session";
  readonly accountId: string;
  readonly sessionId: string;
  /** The IP address that the request came from (`findVisitor`). */
  readonly address: string;
}

/** A program that sends an API token; may request checks for its account, but change no project and no token. */
export interface TokenActor {
  readonly by: "token";
  readonly accountId: string;
}

/** A project's webhook; records deployments of this project only, for its owner. */
export interface HookActor {
  readonly by: "hook";
  readonly accountId: string;
  readonly projectId: string;
}

/** An actor that may change projects and tokens. */
export type Manager = Operator | SessionActor;

export type Recorder = Manager | HookActor;

/** An actor that a credential in a request can identify (`CredentialKind`), and that may request checks. */
export type CredentialActor = SessionActor | TokenActor;

/** An actor with an account, which owns what the actor creates: a token, a project, a membership. */
export type ForAccount<Kind extends Manager> = Kind & { readonly accountId: string };

export const OPERATOR: Operator = { by: "operator", accountId: null };

export const operatorFor = (accountId: string): ForAccount<Operator> => ({
  by: "operator",
  accountId,
});

/** True in SQL where the actor may change what belongs to the account in `column`. */
export const belongsToActor = (actor: Recorder, column: Fragment): Fragment =>
  actor.by === "operator" ? fragment`true` : fragment`${column} = ${actor.accountId}`;
