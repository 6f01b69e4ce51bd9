import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { AppError, isAppError, type ErrorCode } from "../../../base/errors.ts";
import type { SessionActor } from "../../../db/accounts/actors.ts";
import type { findAlert } from "../../../db/alerts/alerts.ts";
import type { findHook } from "../../../db/deployments/hooks.ts";
import type { ActorsProject } from "../../../db/projects/roles.ts";
import type { Deps } from "../../../deps.ts";
import { refuseWith } from "../../../http/failure.ts";
import type { Right } from "../../../projects/rights.ts";
import { fieldsOf, type Fields, type Refused } from "../../kit/forms.ts";
import { pageOf } from "../../kit/session/reader.ts";
import { getSignedIn } from "../../kit/session/signed-in.ts";
import {
  formOn,
  leadTo,
  pathOfSettings,
  requireOfPath,
  requireOwn,
  type OfProject,
  type SettingsPage,
} from "./settings-forms.ts";
import type { Shown } from "./own-page.tsx";
import { sendSettings } from "./settings-page.tsx";

export type OfOne = FastifyRequest<{ Params: { id: string; of?: string } }>;

/** A form that the owner of a project sent. */
export interface Sent {
  actor: SessionActor;
  project: ActorsProject;
  /** Of the hook or the alert whose page the form stands on. */
  id: string;
  fields: Fields;
  request: OfProject;
  reply: FastifyReply;
}

/** Does what a form says. Returns what is wrong with it, or the reply if it has answered; otherwise the page says what was done. */
type Act = (sent: Sent) => Promise<unknown>;

const isRefused = (answer: unknown): answer is Refused =>
  typeof answer === "object" && answer !== null && "problems" in answer;

interface Options {
  /** By default the right to change the project. */
  right?: Right;
  /** What is wrong with a form whose act threw this. Throws an error that says something else. */
  describe?: (error: unknown, sent: Sent) => Refused;
  bodyLimit?: number;
}

/** What was to be removed may be gone already: it is as it was asked for. */
export async function unlessGone(code: ErrorCode, removing: Promise<unknown>): Promise<void> {
  try {
    await removing;
  } catch (error) {
    if (!isAppError(error, code)) throw error;
  }
}

/** Where a form stands that is refused in place, and whose page says what it did. */
interface FormPage {
  /** The path of its routes. */
  path: string;
  config: { formOn: string };
  /** Before anything is said about what was typed. Throws `project_not_found` for what is of another project. */
  require?: (request: OfOne) => Promise<void>;
  send: (deps: Deps, request: OfOne, reply: FastifyReply, shown: { refused: Refused }) => unknown;
}

/** Takes forms of a page from the project's owner alone: before anything is said about what was typed. */
const takeForms =
  (door: FastifyInstance, deps: Deps, page: FormPage) =>
  (suffix: string, act: Act, { right, describe, bodyLimit }: Options = {}): void => {
    const options = { config: page.config, ...(bodyLimit !== undefined && { bodyLimit }) };
    door.post(`${page.path}${suffix}`, options, async (request: OfOne, reply) => {
      const project = await requireOwn(deps, request, right);
      await page.require?.(request);
      const { actor } = getSignedIn(request);
      const { of: id = "" } = request.params;
      const sent = { actor, project, id, fields: fieldsOf(request), request, reply };
      const refuseIt = (refused: Refused, error?: AppError) => {
        refuseWith(reply, refused.status, error);
        return page.send(deps, request, reply, { refused });
      };
      let answer: unknown;
      try {
        answer = await act(sent);
      } catch (error) {
        if (describe === undefined || !(error instanceof AppError)) throw error;
        return refuseIt(describe(error, sent), error);
      }
      if (answer === reply) return reply;
      return isRefused(answer) ? refuseIt(answer) : leadTo(request, reply, pageOf(request));
    });
  };

/** Takes forms of a page of the settings. */
export const ownForms = (door: FastifyInstance, deps: Deps, page: SettingsPage) =>
  takeForms(door, deps, {
    path: pathOfSettings(":id", page),
    ...formOn(page),
    send: sendSettings,
  });

/** Takes forms of the page of a hook or an alert, and serves it. */
export function formsOfOne(
  door: FastifyInstance,
  deps: Deps,
  path: string,
  send: (deps: Deps, request: OfOne, reply: FastifyReply, shown?: Shown) => unknown,
  find: typeof findAlert | typeof findHook,
) {
  door.get(path, (request: OfOne, reply) => send(deps, request, reply));
  return takeForms(door, deps, {
    path,
    config: { formOn: path },
    require: async (request) =>
      requireOfPath(request, await find(deps.database.sql, request.params.of ?? "")),
    send,
  });
}
