import type { FastifyReply, FastifyRequest } from "fastify";
import { useSay } from "../../kit/reader.tsx";
import { AppError } from "../../../base/errors.ts";
import { findHookOfPage, type HookOfPage } from "../../../db/deployments/hook-settings.ts";
import type { Deps } from "../../../deps.ts";
import { choosesSecret } from "../../../projects/hooks.ts";
import { CopyField } from "../../kit/components.tsx";
import { Field } from "../../kit/fields.tsx";
import { Form } from "../../kit/form.tsx";
import { Section } from "../../kit/layout.tsx";
import { getSignedIn } from "../../kit/session/signed-in.ts";
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
}

function Received({ hook: { deliveries }, path }: HookProps) {
  const say = useSay();
  if (deliveries.length === 0)
    return (
      <div id="received" data-waits={path} aria-live="polite">
        <p class="progress">{say(WORDS.waiting)}</p>
        <noscript>
          <a href={path}>{say(WORDS.reload)}</a>
        </noscript>
      </div>
    );
  return (
    <div id="received">
      <Table
        labelledBy="events"
        head={[WORDS.event, WORDS.when, WORDS.outcome]}
        rows={deliveries.map((delivery) => ({
          key: delivery.id,
          cells: [
            <span class="target">{delivery.event}</span>,
            <Time at={delivery.at} />,
            <Outcome delivery={delivery} />,
          ],
        }))}
      />
      <p class="pager">
        <a href={`${path}/deliveries`}>{say(ALL_DELIVERIES)}</a>
      </p>
    </div>
  );
}

function Secret({ hook, path }: HookProps) {
  const say = useSay();
  const isGiven = choosesSecret(hook.provider);
  return (
    <Form action={`${path}/rotate#hook_secret`} isOnce>
      <Field
        name="hook_secret"
        type="password"
        label={WORDS.newSecret}
        hint={isGiven ? WORDS.givenHint : WORDS.secretHint}
        isRequired={isGiven}
      >
        <button type="submit" class="second" aria-label={say(WORDS.saveName)}>
          {say(WORDS.save)}
        </button>
      </Field>
    </Form>
  );
}

interface HookPageProps extends HookProps {
  projectId: string;
  /** This server's own. */
  origin: string;
}

function HookPage(props: HookPageProps) {
  const { hook, path, projectId, origin } = props;
  const say = useSay();
  const provider = say(PROVIDER_NAMES[hook.provider]);
  return (
    <>
      <Refusing hook={hook} />
      <CopyField id="address" label={WORDS.address} value={`${origin}/hooks/${hook.id}`} />
      <Section id="steps" title={`${say(WORDS.steps)} – ${provider}`}>
        <Steps provider={hook.provider} />
      </Section>
      <Section id="events" title={WORDS.events}>
        <Received {...props} />
        {hook.provider === "plain" && hook.hasSecret && (
          <ActionButton action={`${path}/test`} label={WORDS.test} name={WORDS.testName} isPlain />
        )}
      </Section>
      <AnswersSection {...props} />
      <Section id="secrets" title={WORDS.secret}>
        <Secret {...props} />
        <ActionButton
          action={pathOfRemoval(projectId, hook.id)}
          method={hook.isLast ? "get" : "post"}
          label={WORDS.remove}
          on={nameHook(hook)}
          isPlain
        />
      </Section>
    </>
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
  shown: Shown = {},
): Promise<FastifyReply> {
  const { id: projectId, of = "" } = request.params as { id: string; of?: string };
  const { id = of } = shown;
  const { caller } = getSignedIn(request);
  const hook = await findHookOfPage(deps.database.sql, caller, projectId, id);
  if (hook === undefined) throw new AppError("project_not_found", { projectId });
  const path = `/projects/${projectId}/hooks/${id}`;
  const origin = siteOf(deps.config, request.host).origin ?? "";
  return sendOwnPage(deps, request, reply, {
    ...shown,
    name: nameHook(hook),
    projectName: hook.projectName,
    list: "hooks",
    path,
    id,
    script: WAIT_SCRIPT,
    content: <HookPage hook={hook} path={path} projectId={projectId} origin={origin} />,
  });
}
