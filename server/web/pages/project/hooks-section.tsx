import { say } from "../../../../shared/report/words.ts";
import type { ShownHook } from "../../../db/deployments/hook-settings.ts";
import { HOOK_PROVIDERS } from "../../../db/deployments/hooks.ts";
import { describeOutcome, type OutcomeWords } from "./hook-outcomes.ts";
import { Field, Select } from "../../kit/components.tsx";
import type { Filled } from "../../kit/forms.ts";
import { Pager, Section } from "../../kit/layout.tsx";
import { Table } from "../../kit/table.tsx";
import { Time } from "../../kit/time.tsx";
import type { SignedInRequest } from "../../kit/session/signed-in.ts";
import { nameHook } from "./acts-words.ts";
import { ActionButton } from "./action-button.tsx";
import { pathOfRemoval } from "./hook-removal.tsx";
import { HOOKS as WORDS, PROVIDER_NAMES } from "./hooks-words.ts";
import { pathOfSettings } from "./settings-forms.ts";
import { State, type StateWords } from "./states.tsx";

interface HooksProps {
  projectId: string;
  /** Newest first. */
  hooks: readonly ShownHook[];
  /** Counted from 1. */
  page: number;
  /** The server's own origin. */
  origin: string;
  /** The fields typed into the form that adds a hook, and into the form that changes a secret. */
  added: Filled;
  rotated: Filled;
  signedIn: SignedInRequest;
}

export const HOOKS_A_PAGE = 5;
/** How many deliveries are shown, of all hooks together. */
const DELIVERIES = 5;

const STATES: Readonly<Record<OutcomeWords["kind"], StateWords>> = {
  recorded: { sign: "●", tone: "good", words: { fr: "Enregistré", en: "Recorded" } },
  ignored: { sign: "○", tone: "soft", words: { fr: "Ignoré", en: "Ignored" } },
  refused: { sign: "■", tone: "bad", words: { fr: "Refusé", en: "Refused" } },
};

const REFUSING: StateWords = {
  sign: "■",
  tone: "bad",
  words: { fr: "Refuse tout", en: "Refuses everything" },
};

function Hooks({ hooks, page, projectId, origin, signedIn: { language } }: HooksProps) {
  if (hooks.length === 0) return null;
  return (
    <Table
      labelledBy="hooks"
      head={[say(WORDS.hook, language), say(WORDS.url, language), ""]}
      rows={hooks.slice((page - 1) * HOOKS_A_PAGE, page * HOOKS_A_PAGE).map((hook) => {
        const name = nameHook(hook);
        const { fr, en } = WORDS.remove;
        return {
          key: hook.id,
          cells: [
            say(name, language),
            <>
              <code>{`${origin}/hooks/${hook.id}`}</code>
              {hook.isHandedOver && (
                <div>
                  <State state={REFUSING} language={language} /> {say(WORDS.handedOver, language)}
                </div>
              )}
            </>,
            <ActionButton
              action={pathOfRemoval(projectId, hook.id)}
              method={hooks.length === 1 ? "get" : "post"}
              label={WORDS.remove}
              name={{ fr: `${fr} ${name.fr}`, en: `${en} ${name.en}` }}
              isPlain
              language={language}
            />,
          ],
        };
      })}
    />
  );
}

function Deliveries({ hooks, signedIn }: HooksProps) {
  const { language, now } = signedIn;
  const rows = hooks
    .flatMap((hook) => hook.deliveries.map((delivery) => ({ hook, delivery })))
    .toSorted((a, b) => b.delivery.at.getTime() - a.delivery.at.getTime())
    .slice(0, DELIVERIES);
  if (rows.length === 0) return null;
  const head = [WORDS.event, WORDS.hook, WORDS.when, WORDS.outcome];
  return (
    <>
      <h3 id="events">{say(WORDS.deliveries, language)}</h3>
      <Table
        labelledBy="events"
        head={head.map((text) => say(text, language))}
        rows={rows.map(({ hook, delivery: { id, event, at, outcome } }) => {
          const { kind, why } = describeOutcome(outcome);
          return {
            key: id,
            cells: [
              event,
              say(nameHook(hook), language),
              <Time at={at} now={now} reader={signedIn} />,
              <>
                <State state={STATES[kind]} language={language} /> {why && say(why, language)}
              </>,
            ],
          };
        })}
      />
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

function RotateForm(props: HooksProps) {
  const { projectId, hooks, rotated, signedIn } = props;
  const { values, problems } = rotated;
  const { language } = signedIn;
  if (hooks.length === 0) return null;
  return (
    <>
      <h3>{say(WORDS.rotation, language)}</h3>
      <form
        method="post"
        action={`${pathOfSettings(projectId, "hooks")}/rotate#hook_secret`}
        data-once
      >
        <Select
          name="hook"
          label={say(WORDS.hook, language)}
          hint={undefined}
          problem={problems["hook"]}
          value={values["hook"] ?? hooks[0]?.id ?? ""}
          options={hooks.map((hook) => [hook.id, say(nameHook(hook), language)])}
        />
        <Field
          name="hook_secret"
          type="password"
          label={say(WORDS.secret, language)}
          hint={say(WORDS.secretHint, language)}
          problem={problems["hook_secret"]}
        />
        <p class="actions">
          <button type="submit" class="second" aria-label={say(WORDS.rotateName, language)}>
            {say(WORDS.rotate, language)}
          </button>
        </p>
      </form>
    </>
  );
}

/** Where the hosts of a project report deployments, what they sent last, and what came of it. */
export function HooksSection(props: HooksProps) {
  const { projectId, hooks, page, signedIn } = props;
  const { language } = signedIn;
  const path = pathOfSettings(projectId, "hooks");
  return (
    <Section id="hooks" title={say(WORDS.title, language)}>
      <p>{say(WORDS.lead, language)}</p>
      <Hooks {...props} />
      <Pager
        first={page > 1 ? path : undefined}
        next={hooks.length > page * HOOKS_A_PAGE ? `${path}?page=${page + 1}` : undefined}
        language={language}
      />
      <Deliveries {...props} />
      <AddForm {...props} />
      <RotateForm {...props} />
    </Section>
  );
}
