import { T } from "../../kit/reader.tsx";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { findHalf, finishHalf, type FoundHalf } from "../../../access/sign-in.ts";
import { needsPasskey } from "../../../access/second-factor.ts";
import type { Deps } from "../../../deps.ts";
import { isAppError } from "../../../base/errors.ts";
import { refuseWith } from "../../../http/errors.ts";
import { describeWait } from "../../kit/time.tsx";
import { parameterOf, readOwnPath } from "../../kit/request-parameters.ts";
import { Form } from "../../kit/fields.tsx";
import { fieldsOf, refuse, type Refusal } from "../../kit/forms.ts";
import { clientOf, findCookie, setCookie, setSessionCookie } from "../../kit/session/cookie.ts";
import { CODE, PASSKEY } from "../../kit/session/sign-in-words.ts";
import { sendSignInPage } from "../../kit/session/sign-in-page.tsx";
import { TIME_ZONE_SCRIPT, CodeField, TimeZoneField } from "../../kit/session/sign-in-fields.tsx";
import { sendVisitorPage } from "../../kit/session/page.ts";
import type { Text } from "../../../../shared/language.ts";

export const SECOND_STEP_PATH = "/sign-in/code";

const SECOND_STEP_WORDS = {
  title: { fr: "Saisir le code", en: "Enter the code" },
  button: { fr: "Se connecter", en: "Sign in" },
  lost: {
    fr: "Vous n'avez ni téléphone ni code de récupération ? L'administrateur de ce serveur peut désactiver votre double authentification.",
    en: "No phone and no recovery code? The administrator of this server can turn off your two-factor authentication.",
  },
  over: {
    fr: "Cette tentative de connexion a expiré : le code doit être saisi dans les 10 minutes, dans le même navigateur. Connectez-vous à nouveau.",
    en: "This sign-in has expired: the code has to be entered within 10 minutes, in the same browser. Sign in again.",
  },
  passkeyOnly: {
    fr: "Ce serveur demande votre clé d'accès. Si vous l'avez perdue, son administrateur peut la retirer.",
    en: "This server asks for your passkey. If you have lost it, its administrator can remove it.",
  },
} satisfies Record<string, Text>;

interface CodePageProps {
  email: string;
  hasPasskeys: boolean;
  next: string;
}

function UsePasskey({ next }: { next: string }) {
  return (
    <p>
      <a href={`/sign-in?next=${encodeURIComponent(next)}`}>
        <T text={PASSKEY.use} />
      </a>
    </p>
  );
}

function CodePage({ email, hasPasskeys, next }: CodePageProps) {
  return (
    <>
      <h1>
        <T text={SECOND_STEP_WORDS.title} />
      </h1>
      <Form action={SECOND_STEP_PATH}>
        <input type="hidden" name="email" value={email} />
        <input type="hidden" name="next" value={next} />
        <TimeZoneField />
        <CodeField isRequired />
        <button type="submit">
          <T text={SECOND_STEP_WORDS.button} />
        </button>
      </Form>
      {hasPasskeys && <UsePasskey next={next} />}
      <p class="soft">
        <T text={SECOND_STEP_WORDS.lost} />
      </p>
    </>
  );
}

/** For an account that may sign in by passkey only. */
export function PasskeyOnlyPage({ next }: { next: string }) {
  return (
    <>
      <h1>
        <T text={PASSKEY.use} />
      </h1>
      <p class="lead">
        <T text={SECOND_STEP_WORDS.passkeyOnly} />
      </p>
      <UsePasskey next={next} />
    </>
  );
}

const HOME = "/projects";

export function secondStepRoutes(door: FastifyInstance, deps: Deps): void {
  const { config } = deps;

  async function find(request: FastifyRequest): Promise<FoundHalf | undefined> {
    const half = findCookie("half", request, config);
    return half === undefined ? undefined : findHalf(deps, half);
  }

  function show(
    request: FastifyRequest,
    reply: FastifyReply,
    half: FoundHalf,
    next: string,
    refused?: Refusal,
  ) {
    const isPasskeyOnly = needsPasskey(deps, half);
    return sendVisitorPage(request, reply, {
      title: isPasskeyOnly ? PASSKEY.use : SECOND_STEP_WORDS.title,
      children: isPasskeyOnly ? (
        <PasskeyOnlyPage next={next} />
      ) : (
        <CodePage {...half} next={next} />
      ),
      ...(!isPasskeyOnly && { script: TIME_ZONE_SCRIPT }),
      refused,
    });
  }

  door.get(SECOND_STEP_PATH, async (request, reply) => {
    const next = readOwnPath(parameterOf(request, "next")) ?? HOME;
    const half = await find(request);
    return half === undefined
      ? reply.redirect(`/sign-in?next=${encodeURIComponent(next)}`, 303)
      : show(request, reply, half, next);
  });

  door.post(SECOND_STEP_PATH, async (request, reply) => {
    const { code = "", email, next: path } = fieldsOf(request);
    const next = readOwnPath(path) ?? HOME;
    const half = await find(request);
    const over = () =>
      sendSignInPage(deps, request, reply, {
        next,
        refusal: SECOND_STEP_WORDS.over,
        refused: refuse({}),
      });
    // The form belongs to an earlier sign-in of this browser, whose cookie has been replaced.
    if (half === undefined || half.email !== email) return over();
    try {
      const { secret } = await finishHalf(deps, half, code, clientOf(request, config));
      setCookie("half", reply, config, undefined);
      setSessionCookie(reply, config, secret);
      return await reply.redirect(next, 303);
    } catch (error) {
      if (isAppError(error, "sign_in_refused")) return over();
      if (isAppError(error, "sign_in_code_wrong"))
        return show(request, reply, half, next, refuse({ code: CODE.wrong }));
      if (!isAppError(error, "too_often")) throw error;
      refuseWith(reply, 429, error);
      const wait = describeWait(error.parameters.retryAfterSeconds);
      return show(request, reply, half, next, refuse({ code: wait }, 429));
    }
  });
}
