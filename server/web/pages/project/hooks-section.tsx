import { useSay } from "../../kit/reader.tsx";
import type { Delivery } from "../../../db/deployments/hook-deliveries.ts";
import type { ShownHook } from "../../../db/deployments/hook-settings.ts";
import { HOOK_PROVIDERS } from "../../../db/deployments/hooks.ts";
import { nameHook } from "./acts-words.ts";
import { describeOutcome, type OutcomeWords } from "./hook-outcomes.ts";
import { Select } from "../../kit/fields.tsx";
import { Form } from "../../kit/form.tsx";
import { Section } from "../../kit/layout.tsx";
import { Table } from "../../kit/table.tsx";
import { Time } from "../../kit/time.tsx";
import { HOOK, HOOKS as WORDS, PROVIDER_NAMES } from "./hooks-words.ts";
import { pathOfSettings, type SettingsProps } from "./settings-forms.ts";
import { State, type StateWords } from "./states.tsx";

export const OUTCOME_STATES: Readonly<Record<OutcomeWords["kind"], StateWords>> = {
  recorded: { sign: "●", tone: "good", words: { fr: "Enregistré", en: "Recorded" } },
  tested: { sign: "●", tone: "good", words: { fr: "Essai réussi", en: "Test passed" } },
  ignored: { sign: "○", tone: "soft", words: { fr: "Ignoré", en: "Ignored" } },
  refused: { sign: "■", tone: "bad", words: { fr: "Refusé", en: "Refused" } },
};

const REFUSING: StateWords = {
  sign: "■",
  tone: "bad",
  words: { fr: "Refuse tout", en: "Refuses everything" },
};

/** What came of a delivery, and why. */
export function Outcome({ delivery }: { delivery: Delivery }) {
  const say = useSay();
  const { kind, why } = describeOutcome(delivery.outcome);
  return (
    <>
      <State state={OUTCOME_STATES[kind]} /> {why && say(why)}
    </>
  );
}

/** That a hook refuses everything, and why; nothing of one that does not. */
export function Refusing({ hook }: { hook: ShownHook }) {
  const say = useSay();
  if (hook.hasSecret) return null;
  return (
    <div>
      <State state={REFUSING} /> {say(hook.isHandedOver ? HOOK.handedOver : HOOK.noSecret)}
    </div>
  );
}

/** What a hook was sent last. */
function Last({ hook }: { hook: ShownHook }) {
  const say = useSay();
  const [delivery] = hook.deliveries;
  if (delivery === undefined) return <>{say(WORDS.none)}</>;
  return (
    <>
      <Outcome delivery={delivery} /> <Time at={delivery.at} />
    </>
  );
}

function AddForm({ path }: { path: string }) {
  const say = useSay();
  return (
    <Form action={`${path}#provider`} isOnce>
      <Select
        name="provider"
        label={WORDS.provider}
        value="github"
        options={HOOK_PROVIDERS.map((each) => [each, PROVIDER_NAMES[each]])}
      >
        <button type="submit" aria-label={say(WORDS.addName)}>
          {say(WORDS.add)}
        </button>
      </Select>
    </Form>
  );
}

/** Where the hosts of a project report deployments, and what each said last. */
export function HooksSection({ settings: { id, hooks } }: SettingsProps) {
  const say = useSay();
  return (
    <Section id="hooks" title={WORDS.title}>
      <p>
        {say(WORDS.lead)} <a href="/docs/ci">{say(WORDS.help)}</a>.
      </p>
      {hooks.length > 0 && (
        <Table
          labelledBy="hooks"
          head={[WORDS.hook, WORDS.last]}
          rows={hooks.map((hook) => ({
            key: hook.id,
            cells: [
              <a href={`/projects/${id}/hooks/${hook.id}`}>{say(nameHook(hook))}</a>,
              <>
                <Refusing hook={hook} />
                <Last hook={hook} />
              </>,
            ],
          }))}
        />
      )}
      <AddForm path={pathOfSettings(id, "hooks")} />
    </Section>
  );
}
