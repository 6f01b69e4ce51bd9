import { T, useSay } from "../../kit/reader.tsx";
import type { Delivery } from "../../../db/deployments/hook-deliveries.ts";
import type { ShownHook } from "../../../db/deployments/hook-settings.ts";
import { factsOf, HOOK_PROVIDERS } from "../../../base/hook-providers.ts";
import {
  describeOutcome,
  type OutcomeWords,
  HOOK,
  HOOKS as WORDS,
  nameHook,
} from "./hooks-words.ts";
import { Button } from "../../kit/components.tsx";
import { Select, Form } from "../../kit/fields.tsx";
import { Section, Table } from "../../kit/layout.tsx";
import { Time } from "../../kit/time.tsx";
import { pathOfSettings, type SettingsProps } from "./settings-tabs.ts";
import { State, type StateWords } from "./state-badges.tsx";

export const OUTCOME_STATES: Readonly<Record<OutcomeWords["kind"], StateWords>> = {
  recorded: { sign: "●", tone: "good", words: { fr: "Enregistré", en: "Recorded" } },
  tested: { sign: "●", tone: "good", words: { fr: "Test réussi", en: "Test passed" } },
  ignored: { sign: "○", tone: "soft", words: { fr: "Ignoré", en: "Ignored" } },
  refused: { sign: "■", tone: "bad", words: { fr: "Refusé", en: "Refused" } },
};

const REFUSING: StateWords = {
  sign: "■",
  tone: "bad",
  words: { fr: "Refuse tous les événements", en: "Refuses all events" },
};

export function Outcome({ delivery }: { delivery: Delivery }) {
  const say = useSay();
  const { kind, why } = describeOutcome(delivery.outcome);
  return (
    <>
      <State state={OUTCOME_STATES[kind]} /> {why && say(why)}
    </>
  );
}

export function RefusalNotice({ hook }: { hook: ShownHook }) {
  if (hook.hasSecret) return null;
  return (
    <div>
      <State state={REFUSING} /> <T text={hook.isHandedOver ? HOOK.handedOver : HOOK.noSecret} />
    </div>
  );
}

function LastEvent({ hook }: { hook: ShownHook }) {
  const [delivery] = hook.deliveries;
  if (delivery === undefined)
    return (
      <>
        <T text={WORDS.none} />
      </>
    );
  return (
    <>
      <Outcome delivery={delivery} /> <Time at={delivery.at} />
    </>
  );
}

function AddForm({ path }: { path: string }) {
  return (
    <Form action={`${path}#provider`} isOnce>
      <Select
        name="provider"
        label={WORDS.provider}
        value="github"
        options={HOOK_PROVIDERS.map((each) => [each, factsOf(each).label])}
      >
        <Button label={WORDS.add} name={WORDS.addName} />
      </Select>
    </Form>
  );
}

export function HooksSection({ settings: { id, hooks } }: SettingsProps) {
  return (
    <Section id="hooks" title={WORDS.title}>
      <p>
        <T text={WORDS.lead} />{" "}
        <a href="/docs/ci">
          <T text={WORDS.help} />
        </a>
        .
      </p>
      <Table
        head={[WORDS.hook, WORDS.last]}
        rows={hooks.map((hook) => ({
          key: hook.id,
          cells: [
            <a href={`/projects/${id}/hooks/${hook.id}`}>
              <T text={nameHook(hook)} />
            </a>,
            <>
              <RefusalNotice hook={hook} />
              <LastEvent hook={hook} />
            </>,
          ],
        }))}
      />
      <AddForm path={pathOfSettings(id, "hooks")} />
    </Section>
  );
}
