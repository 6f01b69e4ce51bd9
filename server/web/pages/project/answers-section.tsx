import { useSay } from "../../kit/reader.tsx";
import { describeDeliveryError } from "../../../alerts/delivery-errors.ts";
import type { Text } from "../../../base/language.ts";
import type { HookOfPage } from "../../../db/deployments/hook-settings.ts";
import type { Status } from "../../../db/deployments/statuses.ts";
import { getProvider, STATUS_PROVIDERS } from "../../../statuses/providers.ts";
import { Checkboxes, Field, TextArea } from "../../kit/fields.tsx";
import { Form, useTyped } from "../../kit/form.tsx";
import { Section } from "../../kit/layout.tsx";
import { Table } from "../../kit/table.tsx";
import { Time } from "../../kit/time.tsx";
import { ActionButton } from "./action-button.tsx";
import { tries } from "./alerts-words.ts";
import { ANSWER_STATES, ANSWERS as WORDS, SENT_STATES, STATES, WHY_NOT } from "./answers-words.ts";
import { nameVersion } from "./ships.ts";
import { State } from "./states.tsx";

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
  const say = useSay();
  if (hook.statuses.length === 0) return null;
  return (
    <Table
      labelledBy="answers"
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
              {say(STATES[status.state])} <span lang="en">{status.description}</span>
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
  const say = useSay();
  return (
    <details open={Boolean(useTyped().values["app"] ?? answer?.appId)}>
      <summary>{say(WORDS.app)}</summary>
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
  const say = useSay();
  const { hook, path } = props;
  if (STATUS_PROVIDERS[hook.provider] === undefined) return null;
  return (
    <Section id="answers" title={WORDS.title}>
      <p>
        {say(WORDS.lead)} <a href="/docs/ci">{say(WORDS.help)}</a>.
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
