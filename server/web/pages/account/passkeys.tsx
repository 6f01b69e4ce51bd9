import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { Name } from "../../../access/name.ts";
import { addPasskey, removePasskey, renamePasskey } from "../../../access/passkeys.ts";
import { findPasskey, listPasskeys } from "../../../db/accounts/passkeys.ts";
import type { Deps } from "../../../deps.ts";
import { AppError, isAppError } from "../../../base/errors.ts";
import type { Text } from "../../../../shared/language.ts";
import { refuse, type Fields, type Refusal } from "../../kit/forms.ts";
import { nameBrowser } from "../../kit/session/browser-name.ts";
import { sendPage } from "../../kit/session/page.ts";
import { createPasskeyCreation, createPasskeyRequest } from "../../kit/session/passkey-options.ts";
import { PASSKEY_SCRIPT, findRelyingParty } from "../../kit/session/passkey.tsx";
import { addConfirmation } from "../../kit/session/question.tsx";
import { formsOf, type Outcome } from "../../kit/session/form-handlers.ts";
import { getSignedIn } from "../../kit/session/signed-in.ts";
import { PASSKEY_NAMES, PASSKEY_WORDS, describePasskeyLimit } from "./passkey-words.ts";
import {
  CONFIRM_PASSKEYS,
  namePasskey,
  PasskeyPage,
  PASSKEYS_PATH as PATH,
  PasskeysPage,
} from "./passkeys-page.tsx";

/** `refusal` is a problem that belongs to no field. */
interface PasskeyRefusal extends Refusal {
  refusal?: Text;
}

function readName(fields: Fields): { name: string } | Refusal {
  const { success, data, error } = Name.safeParse(fields["name"] ?? "");
  if (success) return { name: data };
  const fault = error.issues[0]?.message as keyof typeof PASSKEY_NAMES;
  return refuse({ name: PASSKEY_NAMES[fault] });
}

export function passkeyRoutes(door: FastifyInstance, deps: Deps): void {
  const { sql } = deps.database;

  async function send(request: FastifyRequest, reply: FastifyReply, refused?: PasskeyRefusal) {
    const signedIn = getSignedIn(request);
    const browser = nameBrowser(request.headers["user-agent"]);
    const passkeys = await listPasskeys(sql, signedIn.accountId);
    const canAdd = findRelyingParty(request, deps.config) !== undefined;
    return sendPage(request, reply, {
      title: PASSKEY_WORDS.title,
      refused,
      script: canAdd && signedIn.isConfirmed ? PASSKEY_SCRIPT : undefined,
      children: (
        <PasskeysPage {...{ signedIn, passkeys, canAdd, browser, refusal: refused?.refusal }} />
      ),
    });
  }

  async function sendOne(request: FastifyRequest, reply: FastifyReply, refused?: Refusal) {
    const signedIn = getSignedIn(request);
    const { id } = request.params as { id: string };
    const passkey = await findPasskey(sql, signedIn.accountId, id);
    if (passkey === undefined && request.method === "GET")
      throw new AppError("route_not_found", {});
    if (passkey === undefined) throw new AppError("passkey_not_found", { id });
    const children = <PasskeyPage passkey={passkey} />;
    return sendPage(request, reply, { title: namePasskey(passkey), refused, children });
  }

  door.get(PATH, (request, reply) => send(request, reply));

  door.get(`${PATH}/options`, async (request) => createPasskeyCreation(deps, request));

  door.get(`${PATH}/challenge`, async (request) =>
    createPasskeyRequest(deps, request, getSignedIn(request).actor),
  );

  const addForm = formsOf(door, deps, { page: PATH, render: send });
  addForm(CONFIRM_PASSKEYS, ({ confirm }) => confirm());
  addForm(PATH, async ({ actor, fields, confirm, request }): Promise<Outcome | PasskeyRefusal> => {
    const unconfirmed = await confirm();
    if (unconfirmed) return { ...unconfirmed, action: CONFIRM_PASSKEYS };
    const read = readName(fields);
    if ("problems" in read) return read;
    const party = findRelyingParty(request, deps.config);
    const { credential: answer = "" } = fields;
    try {
      if (party === undefined) throw new AppError("passkey_refused", {});
      await addPasskey(deps, actor, party, { ...read, answer });
      return "passkey-added";
    } catch (error) {
      if (isAppError(error, "passkey_limit"))
        return { ...refuse({}), refusal: describePasskeyLimit(error.parameters.limit) };
      if (isAppError(error, "passkey_refused"))
        return { ...refuse({}), refusal: PASSKEY_WORDS.refused };
      throw error;
    }
  });

  door.get(`${PATH}/:id`, (request, reply) => sendOne(request, reply));

  const addFormOfOne = formsOf(door, deps, { page: `${PATH}/:id`, render: sendOne });
  addFormOfOne(`${PATH}/:id`, async ({ actor, id, fields }) => {
    const read = readName(fields);
    if ("problems" in read) return read;
    await renamePasskey(deps, actor, { id, ...read });
    return { to: PATH, done: "saved" };
  });

  addConfirmation(door, deps, {
    path: `${PATH}/:id/remove`,
    async find(request) {
      const { id } = request.params as { id: string };
      const passkey = await findPasskey(sql, getSignedIn(request).accountId, id);
      if (passkey === undefined) throw new AppError("passkey_not_found", { id });
      return passkey;
    },
    ask: (passkey) => ({
      consequence: PASSKEY_WORDS.removal,
      button: PASSKEY_WORDS.remove,
      name: namePasskey(passkey),
      back: `${PATH}/${passkey.id}`,
    }),
    isSensitive: true,
    async act({ id }, { actor, confirm }) {
      const unconfirmed = await confirm();
      if (unconfirmed === undefined) await removePasskey(deps, actor, id);
      return unconfirmed;
    },
    redirect: () => ({ to: PATH, done: "passkey-removed" }),
    gone: "passkey_not_found",
  });
}
