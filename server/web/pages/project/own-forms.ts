import type { FastifyInstance, FastifyReply } from "fastify";
import { AppError, isAppError, type ErrorCode } from "../../../base/errors.ts";
import type { SessionActor } from "../../../db/accounts/actors.ts";
import type { ActorsProject } from "../../../db/projects/roles.ts";
import type { Deps } from "../../../deps.ts";
import { refuseWith } from "../../../http/failure.ts";
import type { Right } from "../../../projects/rights.ts";
import { fieldsOf, type Fields, type Refused } from "../../kit/forms.ts";
import { getSignedIn } from "../../kit/session/signed-in.ts";
import {
  formOn,
  leadBack,
  pathOfSettings,
  requireOwn,
  type OfProject,
  type SettingsPage,
} from "./settings-forms.ts";
import { sendSettings } from "./settings-page.tsx";

/** A form that the owner of a project sent. */
export interface Sent {
  actor: SessionActor;
  project: ActorsProject;
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

/** Takes forms of a page of the settings, from the project's owner alone: before anything is said about what was typed. */
export const ownForms =
  (door: FastifyInstance, deps: Deps, page: SettingsPage) =>
  (suffix: string, act: Act, { right, describe, bodyLimit }: Options = {}): void => {
    const options = { ...formOn(page), ...(bodyLimit !== undefined && { bodyLimit }) };
    const path = `${pathOfSettings(":id", page)}${suffix}`;
    door.post(path, options, async (request: OfProject, reply) => {
      const project = await requireOwn(deps, request, right);
      const { actor } = getSignedIn(request);
      const sent = { actor, project, fields: fieldsOf(request), request, reply };
      const refuseIt = (refused: Refused, error?: AppError) => {
        refuseWith(reply, refused.status, error);
        return sendSettings(deps, request, reply, { refused });
      };
      let answer: unknown;
      try {
        answer = await act(sent);
      } catch (error) {
        if (describe === undefined || !(error instanceof AppError)) throw error;
        return refuseIt(describe(error, sent), error);
      }
      if (answer === reply) return reply;
      return isRefused(answer) ? refuseIt(answer) : leadBack(request, reply);
    });
  };
