import type { FastifyReply, FastifyRequest } from "fastify";
import { T, useSay } from "../../kit/reader.tsx";
import type { Text } from "../../../../shared/language.ts";
import { findHookOfPage, type HookOfPage } from "../../../db/deployments/hook-settings.ts";
import type { Deps } from "../../../deps.ts";
import { factsOf, type HookProvider } from "../../../base/hook-providers.ts";
import { Button, CopyField, CopyButton } from "../../kit/components.tsx";
import { Field, Form } from "../../kit/fields.tsx";
import { Section, Table } from "../../kit/layout.tsx";
import { siteOf } from "../../kit/site.ts";
import { Time } from "../../kit/time.tsx";
import { ALL_DELIVERIES, WORDS as PROJECT_WORDS } from "./project-words.ts";
import { ActionButton } from "./state-badges.tsx";
import { StatusReportingSection } from "./status-reporting.tsx";
import { Outcome, RefusalNotice } from "./hooks-section.tsx";
import { HOOK as WORDS, nameHook } from "./hooks-words.ts";
import { sendItemPage, type PageExtras } from "./item-page.tsx";

/** What to open, click or fill in, in the provider's words, and the value to enter. */
type ProviderStep = readonly [name: string, value?: string | Text];

const STEPS: Readonly<Record<Exclude<HookProvider, "plain">, readonly ProviderStep[]>> = {
  github: [
    ["Settings > Webhooks > Add webhook"],
    ["Payload URL", WORDS.theAddress],
    ["Content type", "application/json"],
    ["Secret", WORDS.theSecret],
    ["Let me select individual events > Deployment statuses"],
    ["Add webhook"],
  ],
  vercel: [
    ["Settings > Webhooks > Create Webhook"],
    ["Deployment Succeeded, Deployment Promoted"],
    ["Endpoint URL", WORDS.theAddress],
    ["Create Webhook"],
  ],
  netlify: [
    [
      "Project configuration > Notifications > Deploy notifications > Add notification > HTTP POST request",
    ],
    ["Event to listen for", "Deploy succeeded"],
    ["URL to notify", WORDS.theAddress],
    ["JWS secret token", WORDS.theSecret],
    ["Save"],
  ],
  gitlab: [
    ["Settings > Webhooks > Add new webhook"],
    ["URL", WORDS.theAddress],
    ["Secret token", WORDS.theSecret],
    ["Trigger > Deployment events"],
    ["Add webhook"],
  ],
};

/** The same commands as in docs/ci.md. */
export const REPORTING = String.raw`id="msg_$(openssl rand -hex 16)" now="$(date +%s)" body="{\"type\":\"deployment.succeeded\",\"data\":{\"commit\":\"${"$"}{CI_COMMIT_SHA:?}\"}}"
key="$(printf %s "${"$"}{SHIPSCORE_HOOK_SECRET#whsec_}" | openssl base64 -d -A | od -An -v -tx1 | tr -d ' \n')"
signature="$(printf %s "$id.$now.$body" | openssl dgst -sha256 -mac HMAC -macopt "hexkey:$key" -binary | openssl base64 -A)"
curl -fsS --retry 3 -H "webhook-id: $id" -H "webhook-timestamp: $now" -H "webhook-signature: v1,$signature" --data-raw "$body" "${"$"}{SHIPSCORE_HOOK_URL:?}"`;

function Step({ step: [name, value] }: { step: ProviderStep }) {
  const say = useSay();
  return (
    <li>
      <b lang="en">{name}</b>
      {value !== undefined && say(PROJECT_WORDS.colon)}
      {typeof value === "string" ? <b lang="en">{value}</b> : <T text={value} />}
    </li>
  );
}

function Steps({ provider }: { provider: HookProvider }) {
  if (provider !== "plain")
    return (
      <ol>
        {STEPS[provider].map((step) => (
          <Step step={step} />
        ))}
        {factsOf(provider).choosesSecret && (
          <li>
            <T text={WORDS.paste(factsOf(provider).label)} />
          </li>
        )}
      </ol>
    );
  return (
    <>
      <p>
        <T text={WORDS.inJob} />
      </p>
      <pre>
        <code id="reporting">{REPORTING}</code>
      </pre>
      <CopyButton of="reporting" name={WORDS.lines} />
    </>
  );
}

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
  path: string;
}

function ReceivedEvents({ hook: { deliveries }, path }: HookProps) {
  if (deliveries.length === 0)
    return (
      <div id="received" data-waits={path} aria-live="polite">
        <p class="progress">
          <T text={WORDS.waiting} />
        </p>
        <noscript>
          <a href={path}>
            <T text={WORDS.reload} />
          </a>
        </noscript>
      </div>
    );
  return (
    <div id="received">
      <Table
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
        <a href={`${path}/deliveries`}>
          <T text={ALL_DELIVERIES} />
        </a>
      </p>
    </div>
  );
}

function Secret({ hook, path }: HookProps) {
  const isGiven = factsOf(hook.provider).choosesSecret === true;
  return (
    <Form action={`${path}/rotate#hook_secret`} isOnce>
      <Field
        name="hook_secret"
        type="password"
        label={WORDS.newSecret}
        hint={isGiven ? WORDS.givenHint(factsOf(hook.provider).label) : WORDS.secretHint}
        isRequired={isGiven}
      >
        <Button label={WORDS.save} name={WORDS.saveName} tone="second" />
      </Field>
    </Form>
  );
}

interface HookPageProps extends HookProps {
  origin: string;
}

function HookPage(props: HookPageProps) {
  const { hook, path, origin } = props;
  const say = useSay();
  const provider = say(factsOf(hook.provider).label);
  return (
    <>
      <RefusalNotice hook={hook} />
      <CopyField id="address" label={WORDS.address} value={`${origin}/hooks/${hook.id}`} />
      <Section id="steps" title={`${say(WORDS.steps)} – ${provider}`}>
        <Steps provider={hook.provider} />
      </Section>
      <Section id="events" title={WORDS.events}>
        <ReceivedEvents {...props} />
        {hook.provider === "plain" && hook.hasSecret && (
          <ActionButton action={`${path}/test`} label={WORDS.test} name={WORDS.testName} isPlain />
        )}
      </Section>
      <StatusReportingSection {...props} />
      <Section id="secrets" title={WORDS.secret}>
        <Secret {...props} />
        <ActionButton
          action={`${path}/remove`}
          method="get"
          label={WORDS.remove}
          on={nameHook(hook)}
          isPlain
        />
      </Section>
    </>
  );
}

export const sendHook = (
  deps: Deps,
  request: FastifyRequest,
  reply: FastifyReply,
  extras: PageExtras = {},
): Promise<FastifyReply> =>
  sendItemPage(deps, request, reply, extras, {
    list: "hooks",
    find: findHookOfPage,
    nameOf: nameHook,
    script: WAIT_SCRIPT,
    render: (hook, path) => (
      <HookPage hook={hook} path={path} origin={siteOf(deps.config, request.host).origin ?? ""} />
    ),
  });
