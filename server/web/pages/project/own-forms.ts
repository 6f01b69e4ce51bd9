import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { ComponentChildren } from "preact";
import { isAppError, type ErrorCode } from "../../../base/errors.ts";
import type { SessionActor } from "../../../db/accounts/actors.ts";
import type { findAlert } from "../../../db/alerts/alerts.ts";
import type { findHook } from "../../../db/deployments/hooks.ts";
import type { ActorsProject } from "../../../db/projects/roles.ts";
import type { Deps } from "../../../deps.ts";
import { beginRead } from "../../../http/caller.ts";
import type { Right } from "../../../projects/rights.ts";
import { FORM_FAULTS } from "../../../base/input-faults.ts";
import { fieldsOf, refuse, type Fields, type Refusals, type Refused } from "../../kit/forms.ts";
import { pageOf } from "../../kit/session/page.ts";
import { getSignedIn } from "../../kit/session/signed-in.ts";
import { answerForm, type Outcome } from "../../kit/session/take-forms.ts";
import type { Shown as ShownOfOne } from "./own-page.tsx";
import {
  requireOfPath,
  requireOwn,
  type OfProject,
  type SettingsProps,
  type Shown,
} from "./settings-forms.ts";

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
  /** Answers with the form's page, and with what it shows besides. */
  show: (shown: Shown) => Promise<FastifyReply>;
}

type Act = (sent: Sent) => Promise<Outcome>;

interface Options {
  /** By default the right to change the project. */
  right?: Right;
  /** In place of those of its page. */
  refusals?: Refusals;
  /** True where the page's own form says so, since this one has no field. */
  isSaidByPage?: boolean;
  bodyLimit?: number;
}

/** Takes the forms of one page, each by what its path has besides. */
export type Take = (suffix: string, act: Act, options?: Options) => void;

/** A page of the settings: what stands on it, and how its forms are taken. */
export interface SettingsTab {
  /** What its forms say of their verbs' errors; others have a page. */
  refusals?: Refusals;
  Content: (props: SettingsProps) => ComponentChildren;
  takeForms: (take: Take, deps: Deps, door: FastifyInstance) => void;
}

/** What is wrong at each field, by the names that the form gives them. */
export function refuseFields(
  error: { readonly issues: readonly { path: readonly PropertyKey[]; message: string }[] },
  names: Readonly<Record<string, string>> = {},
): Refused {
  const problems = error.issues.map(({ path: [key], message }) => {
    const field = String(key);
    return [names[field] ?? field, FORM_FAULTS[message as keyof typeof FORM_FAULTS]] as const;
  });
  return refuse(Object.fromEntries(problems));
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
  refusals?: Refusals | undefined;
  /** Before anything is said about what was typed. Throws `project_not_found` for what is of another project. */
  require?: (request: OfOne) => Promise<void>;
  send: (deps: Deps, request: OfOne, reply: FastifyReply, shown: Shown) => Promise<FastifyReply>;
}

/** Takes forms of a page from the project's owner alone: before anything is said about what was typed. */
export const takeForms =
  (door: FastifyInstance, deps: Deps, page: FormPage): Take =>
  (
    suffix,
    act,
    { right, refusals = page.refusals ?? {}, isSaidByPage = false, bodyLimit } = {},
  ) => {
    const config = { formOn: page.path };
    const options = { config, ...(bodyLimit !== undefined && { bodyLimit }) };
    door.post(`${page.path}${suffix}`, options, async (request: OfOne, reply) => {
      const project = await requireOwn(deps, request, right);
      await page.require?.(request);
      const { actor, caller } = getSignedIn(request);
      const { of: id = "" } = request.params;
      const show = async (shown: Shown) => {
        await beginRead(deps, request, caller);
        return page.send(deps, request, reply, shown);
      };
      const sent = { actor, project, id, fields: fieldsOf(request), request, reply, show };
      return answerForm(request, reply, () => act(sent), {
        refusals,
        show: (refused, error) =>
          show({
            refused: { ...refused, ...(isSaidByPage && error && { action: pageOf(request) }) },
          }),
      });
    });
  };

/** Takes forms of the page of a hook or an alert, and serves it. */
export function formsOfOne(
  door: FastifyInstance,
  deps: Deps,
  path: string,
  send: (
    deps: Deps,
    request: OfOne,
    reply: FastifyReply,
    shown?: ShownOfOne,
  ) => Promise<FastifyReply>,
  find: typeof findAlert | typeof findHook,
  refusals?: Refusals,
): Take {
  door.get(path, (request: OfOne, reply) => send(deps, request, reply));
  return takeForms(door, deps, {
    path,
    refusals,
    require: async (request) =>
      requireOfPath(request, await find(deps.database.sql, request.params.of ?? "")),
    send,
  });
}
