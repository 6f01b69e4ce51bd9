import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { say } from "../../../../shared/report/words.ts";
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
import { EMPTY, fieldsOf, inWords, refuse, type Refused } from "../../kit/forms.ts";
import { SECRET_SCRIPT } from "../../kit/secret.tsx";
import { findUnconfirmed } from "../../kit/session/confirm.tsx";
import { sendPage } from "../../kit/session/page.ts";
import { getSignedIn, SECOND_FACTOR_PATH as PATH } from "../../kit/session/signed-in.ts";
import { PASSKEY_WORDS } from "./passkey-words.ts";
import { RecoveryCodes, SetUp, SwitchedOn } from "./second-factor-page.tsx";
import { SECOND_FACTOR_WORDS as WORDS } from "./second-factor-words.ts";

const ON_PAGE = { config: { formOn: PATH } };
const SCRIPT = `${COPY_SCRIPT}${SECRET_SCRIPT}`;

/** What a form led to: new recovery codes, or that it is shown again. */
type Outcome = { codes: readonly string[] } | Refused;

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

  async function render(request: FastifyRequest, outcome?: Outcome) {
    const signedIn = getSignedIn(request);
    const { language, accountId } = signedIn;
    if (outcome && "codes" in outcome) return <RecoveryCodes {...outcome} language={language} />;
    const { problems } = outcome ? inWords(outcome, {}, language) : EMPTY;
    if (!signedIn.hasSecondFactor) {
      const isFirst = needsSetUp(deps, signedIn);
      return <SetUp {...{ signedIn, factor: prepare(request), problems, isFirst }} />;
    }
    const codesLeft = await countRecoveryCodes(deps.database.sql, accountId);
    return <SwitchedOn {...{ signedIn, codesLeft, problems, sentTo: request.routeOptions.url }} />;
  }

  async function show(request: FastifyRequest, reply: FastifyReply, outcome?: Outcome) {
    const { language } = getSignedIn(request);
    const title = say(WORDS.title, language);
    return sendPage(request, reply, {
      title,
      status: outcome && "status" in outcome ? outcome.status : 200,
      script: SCRIPT,
      children: (
        <>
          <h1>{title}</h1>
          <p class="lead">{say(WORDS.lead, language)}</p>
          {await render(request, outcome)}
          <p>
            <a href="/settings/account">{say(PASSKEY_WORDS.back, language)}</a>
          </p>
        </>
      ),
    });
  }

  door.get(PATH, (request, reply) => show(request, reply));

  door.post(PATH, async (request, reply) => {
    const { actor, hasSecondFactor, now } = getSignedIn(request);
    if (hasSecondFactor) return reply.redirect(PATH, 303);
    const unconfirmed = await findUnconfirmed(deps, request, reply);
    if (unconfirmed) return show(request, reply, unconfirmed);
    const { code = "", sealed_secret: sealed = "" } = fieldsOf(request);
    try {
      const codes = await turnOn(deps, actor, { sealed, code, now });
      return await show(request, reply, { codes });
    } catch (error) {
      if (!isAppError(error, "sign_in_code_wrong")) throw error;
      return show(request, reply, refuse({ code: WORDS.codeWrong }));
    }
  });

  door.post(`${PATH}/codes`, ON_PAGE, async (request, reply) => {
    const unconfirmed = await findUnconfirmed(deps, request, reply);
    if (unconfirmed) return show(request, reply, unconfirmed);
    const codes = await renewRecoveryCodes(deps, getSignedIn(request).actor);
    return show(request, reply, { codes });
  });

  door.post(`${PATH}/off`, ON_PAGE, async (request, reply) => {
    if (!getSignedIn(request).hasSecondFactor) return reply.redirect(PATH, 303);
    const unconfirmed = await findUnconfirmed(deps, request, reply);
    if (unconfirmed) return show(request, reply, unconfirmed);
    await turnOff(deps, getSignedIn(request).actor);
    return reply.redirect(PATH, 303);
  });
}
