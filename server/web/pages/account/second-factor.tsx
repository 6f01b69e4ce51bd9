import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { ComponentChildren } from "preact";
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
import {
  getSignedIn,
  SECOND_FACTOR_PATH as PATH,
  type SignedInRequest,
} from "../../kit/session/signed-in.ts";
import { RecoveryCodes, SetUp, SwitchedOn } from "./second-factor-page.tsx";
import { SECOND_FACTOR_WORDS as WORDS } from "./second-factor-words.ts";

const ON_PAGE = { config: { formOn: PATH } };
const SCRIPT = `${COPY_SCRIPT}${SECRET_SCRIPT}`;

/** The second factor of the account. */
export function secondFactorRoutes(door: FastifyInstance, deps: Deps): void {
  function prepare(request: FastifyRequest) {
    try {
      return prepareSecondFactor(
        deps,
        getSignedIn(request),
        fieldsOf(request)["sealed_secret"] ?? "",
      );
    } catch (error) {
      if (isAppError(error, "secret_key_missing")) return undefined;
      throw error;
    }
  }

  async function render(request: FastifyRequest, signedIn: SignedInRequest, refused?: Refused) {
    const { problems } = refused ? inWords(refused, {}, signedIn.language) : EMPTY;
    if (signedIn.hasSecondFactor) {
      const codesLeft = await countRecoveryCodes(deps.database.sql, signedIn.accountId);
      const problemsOf = (form: string) =>
        request.routeOptions.url === `${PATH}/${form}` ? problems : {};
      return <SwitchedOn {...{ signedIn, codesLeft, problemsOf }} />;
    }
    const isFirst = needsSetUp(deps, signedIn);
    return <SetUp {...{ signedIn, factor: prepare(request), problems, isFirst }} />;
  }

  function send(
    request: FastifyRequest,
    reply: FastifyReply,
    { children, status = 200 }: { children: ComponentChildren; status?: number },
  ) {
    const { language } = getSignedIn(request);
    const title = say(WORDS.title, language);
    return sendPage(request, reply, {
      title,
      status,
      script: SCRIPT,
      children: (
        <>
          <h1>{title}</h1>
          <p class="lead">{say(WORDS.lead, language)}</p>
          {children}
          <p>
            <a href="/settings/account">{say(WORDS.back, language)}</a>
          </p>
        </>
      ),
    });
  }

  async function show(request: FastifyRequest, reply: FastifyReply, refused?: Refused) {
    const children = await render(request, getSignedIn(request), refused);
    return send(request, reply, { children, status: refused?.status ?? 200 });
  }

  const showCodes = (request: FastifyRequest, reply: FastifyReply, codes: readonly string[]) =>
    send(request, reply, {
      children: <RecoveryCodes codes={codes} signedIn={getSignedIn(request)} />,
    });

  door.get(PATH, (request, reply) => show(request, reply));

  door.post(PATH, async (request, reply) => {
    const { actor, hasSecondFactor, now } = getSignedIn(request);
    if (hasSecondFactor) return reply.redirect(PATH, 303);
    const unconfirmed = await findUnconfirmed(deps, request, reply);
    if (unconfirmed) return show(request, reply, unconfirmed);
    const { code = "", sealed_secret: sealed = "" } = fieldsOf(request);
    try {
      return await showCodes(request, reply, await turnOn(deps, actor, { sealed, code, now }));
    } catch (error) {
      if (!isAppError(error, "sign_in_code_wrong")) throw error;
      return show(request, reply, refuse({ code: WORDS.codeWrong }));
    }
  });

  door.post(`${PATH}/codes`, ON_PAGE, async (request, reply) => {
    const unconfirmed = await findUnconfirmed(deps, request, reply);
    if (unconfirmed) return show(request, reply, unconfirmed);
    return showCodes(request, reply, await renewRecoveryCodes(deps, getSignedIn(request).actor));
  });

  door.post(`${PATH}/off`, ON_PAGE, async (request, reply) => {
    if (!getSignedIn(request).hasSecondFactor) return reply.redirect(PATH, 303);
    const unconfirmed = await findUnconfirmed(deps, request, reply);
    if (unconfirmed) return show(request, reply, unconfirmed);
    await turnOff(deps, getSignedIn(request).actor);
    return reply.redirect(PATH, 303);
  });
}
