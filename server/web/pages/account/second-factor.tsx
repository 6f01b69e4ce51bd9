import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import {
  needsSetUp,
  prepareSecondFactor,
  renewRecoveryCodes,
  turnOff,
  turnOn,
} from "../../../access/second-factor.ts";
import { countRecoveryCodes } from "../../../db/accounts/second-factors.ts";
import type { Deps } from "../../../deps.ts";
import { isAppError } from "../../../base/errors.ts";
import { COPY_SCRIPT } from "../../kit/copy.tsx";
import { fieldsOf, refuse, type Refused } from "../../kit/forms.ts";
import { SECRET_SCRIPT } from "../../kit/secret.tsx";
import { findUnconfirmed } from "../../kit/session/confirm.tsx";
import { sendPage } from "../../kit/session/page.ts";
import { getSignedIn, SECOND_FACTOR_PATH as PATH } from "../../kit/session/signed-in.ts";
import { RecoveryCodes, SecondFactorPage, SetUp, SwitchedOn } from "./second-factor-page.tsx";
import { SECOND_FACTOR_WORDS as WORDS } from "./second-factor-words.ts";

const ON_PAGE = { config: { formOn: PATH } };
const SCRIPT = `${COPY_SCRIPT}${SECRET_SCRIPT}`;

/** The second factor of the account. */
export function secondFactorRoutes(door: FastifyInstance, deps: Deps): void {
  function prepare(request: FastifyRequest) {
    const { sealed_secret: sealed = "" } = fieldsOf(request);
    try {
      return prepareSecondFactor(deps, getSignedIn(request), sealed);
    } catch (error) {
      if (isAppError(error, "secret_key_missing")) return undefined;
      throw error;
    }
  }

  async function render(request: FastifyRequest) {
    const signedIn = getSignedIn(request);
    if (!signedIn.hasSecondFactor) {
      const isFirst = needsSetUp(deps, signedIn);
      return <SetUp signedIn={signedIn} factor={prepare(request)} isFirst={isFirst} />;
    }
    const codesLeft = await countRecoveryCodes(deps.database.sql, signedIn.accountId);
    return <SwitchedOn signedIn={signedIn} codesLeft={codesLeft} />;
  }

  async function show(
    request: FastifyRequest,
    reply: FastifyReply,
    { codes, refused }: { codes?: readonly string[]; refused?: Refused } = {},
  ) {
    const shown = codes ? <RecoveryCodes codes={codes} /> : await render(request);
    return sendPage(request, reply, {
      title: WORDS.title,
      refused,
      script: SCRIPT,
      children: <SecondFactorPage>{shown}</SecondFactorPage>,
    });
  }

  door.get(PATH, (request, reply) => show(request, reply));

  door.post(PATH, async (request, reply) => {
    const { actor, hasSecondFactor, now } = getSignedIn(request);
    if (hasSecondFactor) return reply.redirect(PATH, 303);
    const unconfirmed = await findUnconfirmed(deps, request, reply);
    if (unconfirmed) return show(request, reply, { refused: unconfirmed });
    const { code = "", sealed_secret: sealed = "" } = fieldsOf(request);
    try {
      const codes = await turnOn(deps, actor, { sealed, code, now });
      return await show(request, reply, { codes });
    } catch (error) {
      if (!isAppError(error, "sign_in_code_wrong")) throw error;
      return show(request, reply, { refused: refuse({ code: WORDS.codeWrong }) });
    }
  });

  door.post(`${PATH}/codes`, ON_PAGE, async (request, reply) => {
    const unconfirmed = await findUnconfirmed(deps, request, reply);
    if (unconfirmed) return show(request, reply, { refused: unconfirmed });
    const codes = await renewRecoveryCodes(deps, getSignedIn(request).actor);
    return show(request, reply, { codes });
  });

  door.post(`${PATH}/off`, ON_PAGE, async (request, reply) => {
    if (!getSignedIn(request).hasSecondFactor) return reply.redirect(PATH, 303);
    const unconfirmed = await findUnconfirmed(deps, request, reply);
    if (unconfirmed) return show(request, reply, { refused: unconfirmed });
    await turnOff(deps, getSignedIn(request).actor);
    return reply.redirect(PATH, 303);
  });
}
