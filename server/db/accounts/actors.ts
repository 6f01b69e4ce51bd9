import { fragment, type Fragment } from "../driver/fragment.ts";

/** May change anything, on behalf of an account or of nobody. */
export interface Operator {
  readonly by: "operator";
  readonly accountId: string | null;
}

/** May change what belongs to the account. */
export interface SessionActor {
  readonly by: "session";
  readonly accountId: string;
  readonly sessionId: string;
  /** The IP address (`findVisitor`). */
  readonly address: string;
}

/** May request checks for its account, but change no project and no token. */
export interface TokenActor {
  readonly by: "token";
  readonly accountId: string;
}

/** Records deployments of this project only, for its owner. */
export interface HookActor {
  readonly by: "hook";
  readonly accountId: string;
  readonly projectId: string;
}

export type Manager = Operator | SessionActor;

export type Recorder = Manager | HookActor;

export type CredentialActor = SessionActor | TokenActor;

/** An actor with an account, which owns what the actor creates: a token, a project, a membership. */
export type ForAccount<Kind extends Manager> = Kind & { readonly accountId: string };

export const OPERATOR: Operator = { by: "operator", accountId: null };

export const operatorFor = (accountId: string): ForAccount<Operator> => ({
  by: "operator",
  accountId,
});

export const belongsToActor = (actor: Recorder, column: Fragment): Fragment =>
  actor.by === "operator" ? fragment`true` : fragment`${column} = ${actor.accountId}`;
