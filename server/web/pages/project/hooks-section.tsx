import { say } from "../../../../shared/report/words.ts";
import type { Delivery } from "../../../db/deployments/hook-deliveries.ts";
import type { ShownHook } from "../../../db/deployments/hook-settings.ts";
import { HOOK_PROVIDERS } from "../../../db/deployments/hooks.ts";
import type { Language } from "../../../base/language.ts";
import { nameHook } from "./acts-words.ts";
import { describeOutcome, type OutcomeWords } from "./hook-outcomes.ts";
import { Select } from "../../kit/components.tsx";
import type { Filled } from "../../kit/forms.ts";
import { Section } from "../../kit/layout.tsx";
import { Table } from "../../kit/table.tsx";
import { Time } from "../../kit/time.tsx";
import type { SignedInRequest } from "../../kit/session/signed-in.ts";
import { HOOK, HOOKS as WORDS, PROVIDER_NAMES } from "./hooks-words.ts";
import { pathOfSettings } from "./settings-forms.ts";
import { State, type StateWords } from "./states.tsx";

interface HooksProps {
  projectId: string;
  /** Newest first. */
  hooks: readonly ShownHook[];
  /** What was typed into the form that adds a hook. */
  added: Filled;
  signedIn: SignedInRequest;
}

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
export function Outcome({ delivery, language }: { delivery: Delivery; language: Language }) {
  const { kind, why } = describeOutcome(delivery.outcome);
  return (
    <>
      <State state={OUTCOME_STATES[kind]} language={language} /> {why && say(why, language)}
    </>
  );
}

/** That a hook refuses everything, and why; nothing of one that does not. */
export function Refusing({ hook, language }: { hook: ShownHook; language: Language }) {
  if (hook.hasSecret) return null;
  return (
    <div>
      <State state={REFUSING} language={language} />{" "}
      {say(hook.isHandedOver ? HOOK.handedOver : HOOK.noSecret, language)}
    </div>
  );
}

/** What a hook was sent last. */
function Last({ hook, signedIn }: { hook: ShownHook; signedIn: SignedInRequest }) {
  const [delivery] = hook.deliveries;
  if (delivery === undefined) return <>{say(WORDS.none, signedIn.language)}</>;
  return (
    <>
      <Outcome delivery={delivery} language={signedIn.language} />{" "}
      <Time at={delivery.at} now={signedIn.now} reader={signedIn} />
    </>
  );
}

function AddForm({ projectId, added: { values, problems }, signedIn: { language } }: HooksProps) {
  return (
    <form method="post" action={`${pathOfSettings(projectId, "hooks")}#provider`} data-once>
      <Select
        name="provider"
        label={say(WORDS.provider, language)}
        hint={undefined}
        problem={problems["provider"]}
        value={values["provider"] ?? "github"}
        options={HOOK_PROVIDERS.map((each) => [each, say(PROVIDER_NAMES[each], language)])}
      >
        <button type="submit" aria-label={say(WORDS.addName, language)}>
          {say(WORDS.add, language)}
        </button>
      </Select>
    </form>
  );
}

/** Where the hosts of a project report deployments, and what each said last. */
export function HooksSection(props: HooksProps) {
  const { projectId, hooks, signedIn } = props;
  const { language } = signedIn;
  return (
    <Section id="hooks" title={say(WORDS.title, language)}>
      <p>
        {say(WORDS.lead, language)} <a href="/docs/ci">{say(WORDS.help, language)}</a>.
      </p>
      {hooks.length > 0 && (
        <Table
          labelledBy="hooks"
          head={[WORDS.hook, WORDS.last].map((text) => say(text, language))}
          rows={hooks.map((hook) => ({
            key: hook.id,
            cells: [
              <a href={`/projects/${projectId}/hooks/${hook.id}`}>
                {say(nameHook(hook), language)}
              </a>,
              <>
                <Refusing hook={hook} language={language} />
                <Last hook={hook} signedIn={signedIn} />
              </>,
            ],
          }))}
        />
      )}
      <AddForm {...props} />
    </Section>
  );
}
