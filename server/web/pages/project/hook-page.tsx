import type { FastifyReply, FastifyRequest } from "fastify";
import { say } from "../../../../shared/report/words.ts";
import { AppError } from "../../../base/errors.ts";
import { findHookOfPage, type HookOfPage } from "../../../db/deployments/hook-settings.ts";
import type { Deps } from "../../../deps.ts";
import { choosesSecret } from "../../../projects/hooks.ts";
import { CopyField, Field } from "../../kit/components.tsx";
import { CopyButton } from "../../kit/copy.tsx";
import type { Filled } from "../../kit/forms.ts";
import { Section } from "../../kit/layout.tsx";
import { getSignedIn, type SignedInRequest } from "../../kit/session/signed-in.ts";
import { siteOf } from "../../kit/site.ts";
import { Table } from "../../kit/table.tsx";
import { Time } from "../../kit/time.tsx";
import { ALL_DELIVERIES } from "./list-words.ts";
import { nameHook } from "./acts-words.ts";
import { ActionButton } from "./action-button.tsx";
import { AnswersSection } from "./answers-section.tsx";
import { Steps } from "./hook-steps.tsx";
import { pathOfRemoval } from "./hook-removal.tsx";
import { Outcome, Refusing } from "./hooks-section.tsx";
import { HOOK as WORDS, PROVIDER_NAMES } from "./hooks-words.ts";
import { sendOwnPage, type Shown } from "./own-page.tsx";

/** While nothing was received, asks for the page again, and shows what it has then. */
const WAIT_SCRIPT = `
const received = document.querySelector("[data-waits]");
const timer = received && setInterval(async () => {
  if (document.hidden) return;
  const answer = await fetch(received.dataset.waits).catch(() => undefined);
  const page = new DOMParser().parseFromString(await answer?.text() ?? "", "text/html");
  const shown = page.getElementById("received");
  if (!shown || shown.dataset.waits) return;
  clearInterval(timer);
  received.replaceChildren(...shown.childNodes);
}, 3000);
`;

interface HookProps {
  hook: HookOfPage;
  /** The path of the page. */
  path: string;
  signedIn: SignedInRequest;
}

function Received({ hook: { deliveries }, path, signedIn }: HookProps) {
  const { language, now } = signedIn;
  if (deliveries.length === 0)
    return (
      <div id="received" data-waits={path} aria-live="polite">
        <p class="progress">{say(WORDS.waiting, language)}</p>
        <noscript>
          <a href={path}>{say(WORDS.reload, language)}</a>
        </noscript>
      </div>
    );
  return (
    <div id="received">
      <Table
        labelledBy="events"
        head={[WORDS.event, WORDS.when, WORDS.outcome].map((text) => say(text, language))}
        rows={deliveries.map((delivery) => ({
          key: delivery.id,
          cells: [
            <span class="target">{delivery.event}</span>,
            <Time at={delivery.at} now={now} reader={signedIn} />,
            <Outcome delivery={delivery} language={language} />,
          ],
        }))}
      />
      <p class="pager">
        <a href={`${path}/deliveries`}>{say(ALL_DELIVERIES, language)}</a>
      </p>
    </div>
  );
}

function Secret({ hook, path, filled, signedIn: { language } }: HookProps & { filled: Filled }) {
  const isGiven = choosesSecret(hook.provider);
  return (
    <form method="post" action={`${path}/rotate#hook_secret`} data-once>
      <Field
        name="hook_secret"
        type="password"
        label={say(WORDS.newSecret, language)}
        hint={say(isGiven ? WORDS.givenHint : WORDS.secretHint, language)}
        problem={filled.problems["hook_secret"]}
        isRequired={isGiven}
      >
        <button type="submit" class="second" aria-label={say(WORDS.saveName, language)}>
          {say(WORDS.save, language)}
        </button>
      </Field>
    </form>
  );
}

/**
 * Sends the page of a hook to the owner of its project: where it is told of deployments, how that is set up, and what came
 * of what it was sent. Throws `project_not_found` to anybody else.
 */
export async function sendHook(
  deps: Deps,
  request: FastifyRequest,
  reply: FastifyReply,
  id: string,
  shown: Shown = {},
): Promise<FastifyReply> {
  const signedIn = getSignedIn(request);
  const { language } = signedIn;
  const { id: projectId } = request.params as { id: string };
  const hook = await findHookOfPage(deps.database.sql, signedIn.caller, projectId, id);
  if (hook === undefined) throw new AppError("project_not_found", { projectId });
  const path = `/projects/${projectId}/hooks/${id}`;
  const props = { hook, path, signedIn };
  const name = nameHook(hook);
  const address = say(WORDS.address, language);
  const provider = say(PROVIDER_NAMES[hook.provider], language);
  return sendOwnPage(deps, request, reply, {
    ...shown,
    name: say(name, language),
    projectName: hook.projectName,
    list: "hooks",
    path,
    id,
    script: WAIT_SCRIPT,
    content: (filled) => (
      <>
        <Refusing hook={hook} language={language} />
        <CopyField
          id="address"
          label={address}
          value={`${siteOf(deps.config, request.host).origin ?? ""}/hooks/${id}`}
        >
          <CopyButton of="address" name={address} language={language} />
        </CopyField>
        <Section id="steps" title={`${say(WORDS.steps, language)} – ${provider}`}>
          <Steps provider={hook.provider} language={language} />
        </Section>
        <Section id="events" title={say(WORDS.events, language)}>
          <Received {...props} />
          {hook.provider === "plain" && hook.hasSecret && (
            <ActionButton
              action={`${path}/test`}
              label={WORDS.test}
              name={WORDS.testName}
              isPlain
              language={language}
            />
          )}
        </Section>
        <AnswersSection {...props} filled={filled} />
        <Section id="secrets" title={say(WORDS.secret, language)}>
          <Secret {...props} filled={filled} />
          <ActionButton
            action={pathOfRemoval(projectId, id)}
            method={hook.isLast ? "get" : "post"}
            label={WORDS.remove}
            name={{ fr: `${WORDS.remove.fr} ${name.fr}`, en: `${WORDS.remove.en} ${name.en}` }}
            isPlain
            language={language}
          />
        </Section>
      </>
    ),
  });
}
