import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import {
  needsSetUp,
  prepareSecondFactor,
  renewRecoveryCodes,
  turnOffSecondFactor,
  turnOnSecondFactor,
} from "../../../access/second-factor.ts";
import { countRecoveryCodes } from "../../../db/accounts/second-factors.ts";
import type { Deps } from "../../../deps.ts";
import { isAppError } from "../../../base/errors.ts";
import { COPY_SCRIPT, SECRET_SCRIPT } from "../../kit/components.tsx";
import { fieldsOf, type Refusal } from "../../kit/forms.ts";
import { formsOf } from "../../kit/session/form-handlers.ts";
import { sendPage } from "../../kit/session/page.ts";
import { getSignedIn, SECOND_FACTOR_PATH as PATH } from "../../kit/session/signed-in.ts";
import { Enabled, RecoveryCodes, SecondFactorPage, SetUp } from "./second-factor-page.tsx";
import { SECOND_FACTOR_WORDS as WORDS } from "./second-factor-words.ts";

const SCRIPT = `${COPY_SCRIPT}${SECRET_SCRIPT}`;

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
    return <Enabled signedIn={signedIn} codesLeft={codesLeft} />;
  }

  async function send(
    request: FastifyRequest,
    reply: FastifyReply,
    { codes, refused }: { codes?: readonly string[]; refused?: Refusal } = {},
  ) {
    const shown = codes ? <RecoveryCodes codes={codes} /> : await render(request);
    return sendPage(request, reply, {
      title: WORDS.title,
      refused,
      script: SCRIPT,
      children: <SecondFactorPage>{shown}</SecondFactorPage>,
    });
  }

  door.get(PATH, (request, reply) => send(request, reply));

  const addForm = formsOf(door, deps, {
    page: PATH,
    refusals: { sign_in_code_wrong: { code: WORDS.codeWrong } },
    render: (request, reply, refused) => send(request, reply, { refused }),
  });

  addForm(PATH, async ({ actor, hasSecondFactor, now, fields, confirm, request, reply }) => {
    if (hasSecondFactor) return undefined;
    const unconfirmed = await confirm();
    if (unconfirmed) return unconfirmed;
    const { code = "", sealed_secret: sealed = "" } = fields;
    return send(request, reply, {
      codes: await turnOnSecondFactor(deps, actor, { sealed, code, now }),
    });
  });

  addForm(`${PATH}/codes`, async ({ actor, confirm, request, reply }) => {
    const unconfirmed = await confirm();
    if (unconfirmed) return unconfirmed;
    return send(request, reply, { codes: await renewRecoveryCodes(deps, actor) });
  });

  addForm(`${PATH}/off`, async ({ actor, hasSecondFactor, confirm }) => {
    if (!hasSecondFactor) return undefined;
    const unconfirmed = await confirm();
    if (unconfirmed) return unconfirmed;
    await turnOffSecondFactor(deps, actor);
    return "second-factor-off";
  });
}
