import { say } from "../../../../shared/report/words.ts";
import { describeDeliveryError } from "../../../alerts/delivery-errors.ts";
import type { Language, Text } from "../../../base/language.ts";
import type { HookOfPage } from "../../../db/deployments/hook-settings.ts";
import type { Status } from "../../../db/deployments/statuses.ts";
import { getProvider, STATUS_PROVIDERS } from "../../../statuses/providers.ts";
import { Checkboxes, Field, TextArea } from "../../kit/components.tsx";
import type { Filled } from "../../kit/forms.ts";
import { Section } from "../../kit/layout.tsx";
import type { SignedInRequest } from "../../kit/session/signed-in.ts";
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
  filled: Filled;
  signedIn: SignedInRequest;
}

/** Why a status was not sent: what the provider said, or a word of this server. */
const describeError = (error: string): Text =>
  /^\d/.test(error) ? { fr: error, en: error } : (WHY_NOT[error] ?? describeDeliveryError(error));

function Outcome({ status, language }: { status: Status; language: Language }) {
  const { sent, error, attempts } = status;
  return (
    <>
      <State state={SENT_STATES[sent]} language={language} />
      {error !== null && ` ${say(describeError(error), language)}`}
      {sent === "pending" && attempts > 0 && ` (${say(tries(attempts), language)})`}
    </>
  );
}

function Statuses({ hook, signedIn }: AnswersProps) {
  const { language, now } = signedIn;
  if (hook.statuses.length === 0) return null;
  return (
    <Table
      labelledBy="answers"
      head={[WORDS.commit, WORDS.status, WORDS.when, WORDS.outcome].map((text) =>
        say(text, language),
      )}
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
              {say(STATES[status.state], language)} <span lang="en">{status.description}</span>
            </>,
            <Time at={status.at} now={now} reader={signedIn} />,
            <Outcome status={status} language={language} />,
          ],
        };
      })}
    />
  );
}

function AppFields({ filled: { values, problems }, hook: { answer }, signedIn }: AnswersProps) {
  const { language } = signedIn;
  return (
    <details open={Boolean(values["app"] ?? answer?.appId)}>
      <summary>{say(WORDS.app, language)}</summary>
      <Field
        name="app"
        label={say(WORDS.appId, language)}
        value={values["app"] ?? answer?.appId ?? undefined}
        problem={problems["app"]}
      />
      <Field
        name="installation"
        label={say(WORDS.installationId, language)}
        value={values["installation"] ?? answer?.installationId ?? undefined}
      />
      <TextArea name="key_secret" label={say(WORDS.key, language)} rows={4} />
    </details>
  );
}

function AnswerForm(props: AnswersProps) {
  const { hook, path, filled, signedIn } = props;
  const { answer, provider } = hook;
  const { values, problems } = filled;
  const { language } = signedIn;
  const isGitHub = provider === "github";
  return (
    <form method="post" action={`${path}/answers#answers`} data-once>
      <Field
        name="repository"
        label={say(WORDS.repository, language)}
        hint={isGitHub ? undefined : say(WORDS.gitlabHint, language)}
        placeholder={isGitHub ? "owner/repo" : "group/project"}
        value={values["repository"] ?? answer?.repository}
        problem={problems["repository"]}
        isRequired
      />
      <Field
        name="token_secret"
        type="password"
        label={say(WORDS.token, language)}
        hint={say(WORDS.tokenHint, language)}
        problem={problems["token_secret"]}
        isRequired={!isGitHub}
      />
      {isGitHub && <AppFields {...props} />}
      <Field
        name="api"
        label={say(WORDS.api, language)}
        hint={say(WORDS.apiHint, language)}
        placeholder={getProvider(provider).api}
        value={values["api"] ?? answer?.api}
        problem={problems["api"]}
      />
      <Field
        name="context"
        label={say(WORDS.context, language)}
        hint={say(WORDS.contextHint, language)}
        placeholder="shipscore/preview"
        value={values["context"] ?? answer?.context ?? undefined}
        problem={problems["context"]}
      />
      <Checkboxes
        name="report"
        label={say(WORDS.report, language)}
        problem={undefined}
        boxes={[
          {
            name: "comment",
            label: say(WORDS.comment, language),
            isTicked:
              "repository" in values ? values["comment"] === "on" : (answer?.comments ?? false),
          },
        ]}
      />
      <p class="actions">
        <button type="submit">{say(WORDS.save, language)}</button>
      </p>
    </form>
  );
}

/** What the commits of a hook's deployments are told, and the form that says where; nothing of a provider that takes no statuses. */
export function AnswersSection(props: AnswersProps) {
  const { hook, path, signedIn } = props;
  const { language } = signedIn;
  if (STATUS_PROVIDERS[hook.provider] === undefined) return null;
  return (
    <Section id="answers" title={say(WORDS.title, language)}>
      <p>
        {say(WORDS.lead, language)} <a href="/docs/ci">{say(WORDS.help, language)}</a>.
      </p>
      {hook.answer && (
        <div class="actions">
          <State state={ANSWER_STATES[hook.answer.state]} language={language} />{" "}
          {hook.answer.repository}
          <ActionButton
            action={`${path}/answers/off`}
            label={WORDS.off}
            name={WORDS.offName}
            isPlain
            language={language}
          />
        </div>
      )}
      <Statuses {...props} />
      <AnswerForm {...props} />
    </Section>
  );
}
