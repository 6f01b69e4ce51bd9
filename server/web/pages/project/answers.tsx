import type { Deps } from "../../../deps.ts";
import { answerHook, stopAnswers, WantedAnswer } from "../../../statuses/answers.ts";
import { Form, useTyped, Checkboxes, Field, TextArea } from "../../kit/fields.tsx";
import { refuse, type Fields, type Refusals, type Refused } from "../../kit/forms.ts";
import {
  ANSWER_PROBLEMS as PROBLEMS,
  hostRefused,
  mayNotWrite,
  ANSWER_STATES,
  ANSWERS as WORDS,
  SENT_STATES,
  STATES,
  WHY_NOT,
} from "./answers-words.ts";
import { HOOK_PROBLEMS } from "./hooks-words.ts";
import type { AddProjectForm } from "./settings-tabs.ts";
import { T, useSay } from "../../kit/reader.tsx";
import { describeDeliveryError } from "../../../alerts/sender.ts";
import type { Text } from "../../../../shared/language.ts";
import type { HookOfPage } from "../../../db/deployments/hook-settings.ts";
import type { Status } from "../../../db/deployments/statuses.ts";
import { getProvider, STATUS_PROVIDERS } from "../../../statuses/providers.ts";
import { Section, Table } from "../../kit/layout.tsx";
import { Time } from "../../kit/time.tsx";
import { ActionButton, State } from "./state-badges.tsx";
import { tries } from "./alerts-words.ts";
import { nameVersion } from "./deployment-figures.ts";

interface AnswersProps {
  hook: HookOfPage;
  /** The path of the hook's page. */
  path: string;
}

/** Why a status was not sent: what the provider said, or a word of this server. */
const describeError = (error: string): Text =>
  /^\d/.test(error) ? { fr: error, en: error } : (WHY_NOT[error] ?? describeDeliveryError(error));

function Outcome({ status }: { status: Status }) {
  const say = useSay();
  const { sent, error, attempts } = status;
  return (
    <>
      <State state={SENT_STATES[sent]} />
      {error !== null && ` ${say(describeError(error))}`}
      {sent === "pending" && attempts > 0 && ` (${say(tries(attempts))})`}
    </>
  );
}

function Statuses({ hook }: AnswersProps) {
  return (
    <Table
      head={[WORDS.commit, WORDS.status, WORDS.when, WORDS.outcome]}
      rows={hook.statuses.map((status) => {
        const commit = nameVersion({ commit: status.commit, ref: null });
        return {
          key: status.id,
          cells: [
            <span class="target">
              {status.deployment === null ? (
                commit
              ) : (
                <a href={`/deployments/${status.deployment}`}>{commit}</a>
              )}{" "}
              {status.context}
            </span>,
            <>
              <T text={STATES[status.state]} /> <span lang="en">{status.description}</span>
            </>,
            <Time at={status.at} />,
            <Outcome status={status} />,
          ],
        };
      })}
    />
  );
}

function AppFields({ hook: { answer } }: AnswersProps) {
  return (
    <details open={Boolean(useTyped().values["app"] ?? answer?.appId)}>
      <summary>
        <T text={WORDS.app} />
      </summary>
      <Field name="app" label={WORDS.appId} value={answer?.appId ?? undefined} />
      <Field
        name="installation"
        label={WORDS.installationId}
        value={answer?.installationId ?? undefined}
      />
      <TextArea name="key_secret" label={WORDS.key} rows={4} isSecret />
    </details>
  );
}

function AnswerForm(props: AnswersProps) {
  const { hook, path } = props;
  const { answer, provider } = hook;
  const isGitHub = provider === "github";
  return (
    <Form action={`${path}/answers#answers`} submit={WORDS.save} isOnce>
      <Field
        name="repository"
        label={WORDS.repository}
        hint={isGitHub ? undefined : WORDS.gitlabHint}
        placeholder={isGitHub ? "owner/repo" : "group/project"}
        value={answer?.repository}
        isRequired
      />
      <Field
        name="token_secret"
        type="password"
        label={WORDS.token}
        hint={WORDS.tokenHint}
        isRequired={!isGitHub}
      />
      {isGitHub && <AppFields {...props} />}
      <Field
        name="api"
        label={WORDS.api}
        hint={WORDS.apiHint}
        placeholder={getProvider(provider).api}
        value={answer?.api}
      />
      <Field
        name="context"
        label={WORDS.context}
        hint={WORDS.contextHint}
        placeholder="shipscore/preview"
        value={answer?.context ?? undefined}
      />
      <Checkboxes
        name="report"
        label={WORDS.report}
        boxes={[{ name: "comment", label: WORDS.comment, isTicked: answer?.comments ?? false }]}
      />
    </Form>
  );
}

/** What the commits of a hook's deployments are told, and the form that says where; nothing of a provider that takes no statuses. */
export function AnswersSection(props: AnswersProps) {
  const { hook, path } = props;
  if (STATUS_PROVIDERS[hook.provider] === undefined) return null;
  return (
    <Section id="answers" title={WORDS.title}>
      <p>
        <T text={WORDS.lead} />{" "}
        <a href="/docs/ci">
          <T text={WORDS.help} />
        </a>
        .
      </p>
      {hook.answer && (
        <div class="actions">
          <State state={ANSWER_STATES[hook.answer.state]} /> {hook.answer.repository}
          <ActionButton
            action={`${path}/answers/off`}
            label={WORDS.off}
            name={WORDS.offName}
            isPlain
          />
        </div>
      )}
      <Statuses {...props} />
      <AnswerForm {...props} />
    </Section>
  );
}

const typed = (fields: Fields, name: string) => fields[name]?.trim() || undefined;

const FAULTS: Readonly<Record<string, Refused["problems"]>> = {
  answer_repository_invalid: { repository: PROBLEMS.repository },
  answer_api_invalid: { api: PROBLEMS.api },
  answer_context_invalid: { context: PROBLEMS.context },
  answer_key_invalid: { key_secret: PROBLEMS.key },
};

const describeFault = (fault: string) => FAULTS[fault] ?? { token_secret: PROBLEMS.credential };

const REFUSALS: Refusals = {
  input_invalid: ({ fault }) => describeFault(fault),
  status_host_refused: ({ host }) => ({ api: hostRefused(host) }),
  answer_refused: ({ why }) => ({ token_secret: mayNotWrite(why) }),
  secret_key_missing: { token_secret: HOOK_PROBLEMS.noKey },
};

/** Registers the forms of a hook's status settings. */
export function addAnswerForms(addForm: AddProjectForm, deps: Deps): void {
  addForm(
    "/answers",
    async ({ actor, id, fields }) => {
      const wanted = WantedAnswer.safeParse({
        repository: fields["repository"] ?? "",
        api: fields["api"],
        context: fields["context"],
        comment: fields["comment"] === "on",
        token: typed(fields, "token_secret"),
        app: typed(fields, "app"),
        installation: typed(fields, "installation"),
        key: typed(fields, "key_secret"),
      });
      if (!wanted.success) return refuse(describeFault(wanted.error.issues[0]?.message ?? ""));
      await answerHook(deps, actor, id, wanted.data);
      return "statuses-on";
    },
    { refusals: REFUSALS },
  );
  addForm("/answers/off", async ({ actor, id }) => {
    await stopAnswers(deps, actor, id);
    return "statuses-off";
  });
}
