import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { Name } from "../../../access/name.ts";
import { addPasskey, removePasskey, renamePasskey } from "../../../access/passkeys.ts";
import { findPasskey, listPasskeys } from "../../../db/accounts/passkeys.ts";
import type { Deps } from "../../../deps.ts";
import { AppError, isAppError } from "../../../base/errors.ts";
import type { Text } from "../../../base/language.ts";
import { fieldsOf, refuse, type Refused } from "../../kit/forms.ts";
import { nameBrowser } from "../../kit/session/browser-name.ts";
import { findUnconfirmed } from "../../kit/session/confirm.tsx";
import { sendPage } from "../../kit/session/page.ts";
import { askForNew, askOf } from "../../kit/session/passkey-asks.ts";
import { PASSKEY_SCRIPT } from "../../kit/session/passkey-script.ts";
import { findRelyingParty } from "../../kit/session/relying-party.ts";
import { getSignedIn } from "../../kit/session/signed-in.ts";
import { PASSKEY_NAMES, PASSKEY_WORDS, tooManyPasskeys } from "./passkey-words.ts";
import {
  CONFIRM_PASSKEYS,
  namePasskey,
  PasskeyPage,
  PASSKEYS_PATH as PATH,
  PasskeysPage,
} from "./passkeys-page.tsx";

const ON_LIST = { config: { formOn: PATH } };
const ON_ONE = { config: { formOn: `${PATH}/:id` } };

type OfPasskey = { Params: { id: string } };

/** A form that is shown again; `refusal` is what is not about one of its fields. */
interface Shown extends Refused {
  refusal?: Text;
}

function readName(request: FastifyRequest): { name: string } | Refused {
  const { success, data, error } = Name.safeParse(fieldsOf(request)["name"] ?? "");
  if (success) return { name: data };
  const fault = error.issues[0]?.message as keyof typeof PASSKEY_NAMES;
  return refuse({ name: PASSKEY_NAMES[fault] });
}

/** A page that there is not, or a form on a page that there is no longer. */
const goneFor = ({ method, params: { id } }: FastifyRequest<OfPasskey>) =>
  method === "GET"
    ? new AppError("route_not_found", {})
    : new AppError("passkey_not_found", { id });

/** The passkeys of the account. */
export function passkeyRoutes(door: FastifyInstance, deps: Deps): void {
  const { sql } = deps.database;

  async function send(request: FastifyRequest, reply: FastifyReply, shown?: Shown) {
    const signedIn = getSignedIn(request);
    const browser = nameBrowser(request.headers["user-agent"]);
    const passkeys = await listPasskeys(sql, signedIn.accountId);
    const canAdd = findRelyingParty(request, deps.config) !== undefined;
    return sendPage(request, reply, {
      title: PASSKEY_WORDS.title,
      refused: shown,
      script: canAdd && signedIn.isConfirmed ? PASSKEY_SCRIPT : undefined,
      children: (
        <PasskeysPage {...{ signedIn, passkeys, canAdd, browser, refusal: shown?.refusal }} />
      ),
    });
  }

  async function sendOne(
    request: FastifyRequest<OfPasskey>,
    reply: FastifyReply,
    refused?: Refused,
  ) {
    const signedIn = getSignedIn(request);
    const { id } = request.params;
    const passkey = await findPasskey(sql, signedIn.accountId, id);
    if (passkey === undefined) throw goneFor(request);
    const children = <PasskeyPage signedIn={signedIn} passkey={passkey} />;
    return sendPage(request, reply, { title: namePasskey(passkey), refused, children });
  }

  async function add(request: FastifyRequest, reply: FastifyReply): Promise<Shown | undefined> {
    const { credential: answer = "" } = fieldsOf(request);
    const unconfirmed = await findUnconfirmed(deps, request, reply);
    if (unconfirmed) return { ...unconfirmed, action: CONFIRM_PASSKEYS };
    const read = readName(request);
    if ("problems" in read) return read;
    const party = findRelyingParty(request, deps.config);
    try {
      if (party === undefined) throw new AppError("passkey_refused", {});
      await addPasskey(deps, getSignedIn(request).actor, party, { ...read, answer });
      return undefined;
    } catch (error) {
      if (isAppError(error, "passkey_limit"))
        return { ...refuse({}), refusal: tooManyPasskeys(error.parameters.limit) };
      if (isAppError(error, "passkey_refused"))
        return { ...refuse({}), refusal: PASSKEY_WORDS.refused };
      throw error;
    }
  }

  door.get(PATH, (request, reply) => send(request, reply));

  door.get(`${PATH}/options`, async (request) => askForNew(deps, request));

  door.get(`${PATH}/challenge`, async (request) =>
    askOf(deps, request, getSignedIn(request).actor),
  );

  door.post(CONFIRM_PASSKEYS, ON_LIST, async (request, reply) => {
    const unconfirmed = await findUnconfirmed(deps, request, reply);
    return unconfirmed ? send(request, reply, unconfirmed) : reply.redirect(PATH, 303);
  });

  door.post(PATH, async (request, reply) => {
    const refusal = await add(request, reply);
    return refusal ? send(request, reply, refusal) : reply.redirect(PATH, 303);
  });

  door.get<OfPasskey>(`${PATH}/:id`, (request, reply) => sendOne(request, reply));

  door.post<OfPasskey>(`${PATH}/:id`, async (request, reply) => {
    const read = readName(request);
    if ("problems" in read) return sendOne(request, reply, read);
    await renamePasskey(deps, getSignedIn(request).actor, { id: request.params.id, ...read });
    return reply.redirect(PATH, 303);
  });

  door.post<OfPasskey>(`${PATH}/:id/remove`, ON_ONE, async (request, reply) => {
    const unconfirmed = await findUnconfirmed(deps, request, reply);
    if (unconfirmed) return sendOne(request, reply, unconfirmed);
    await removePasskey(deps, getSignedIn(request).actor, request.params.id);
    return reply.redirect(PATH, 303);
  });
}
