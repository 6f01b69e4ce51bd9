import type { Deps } from "../../../deps.ts";
import {
  setStatusReporting,
  stopStatusReporting,
  WantedReporting,
} from "../../../statuses/status-reporting.ts";
import { Form, useFormInput, Checkboxes, Field, TextArea } from "../../kit/fields.tsx";
import { refuse, type Fields, type Refusals, type Refusal } from "../../kit/forms.ts";
import {
  REPORTING_PROBLEMS as PROBLEMS,
  hostRefused,
  cannotWrite,
  REPORTING_STATES,
  STATUS_REPORTING as WORDS,
  SENT_STATES,
  STATES,
  OWN_FAILURES,
} from "./status-reporting-words.ts";
import { HOOK_PROBLEMS } from "./hooks-words.ts";
import type { AddProjectForm } from "./settings-tabs.ts";
import { T, useSay } from "../../kit/reader.tsx";
import { describeDeliveryError } from "../../../alerts/sender.ts";
import type { Text } from "../../../../shared/language.ts";
import type { HookOfPage } from "../../../db/deployments/hook-settings.ts";
import type { Status } from "../../../db/deployments/commit-statuses.ts";
import { getProvider, STATUS_PROVIDERS } from "../../../statuses/providers.ts";
import { Section, Table } from "../../kit/layout.tsx";
import { Time } from "../../kit/time.tsx";
import { ActionButton, State } from "./state-badges.tsx";
import { countAttempts } from "./alerts-words.ts";
import { nameVersion } from "./deployment-figures.ts";

interface StatusReportingProps {
  hook: HookOfPage;
  path: string;
}

/** `error`: the provider's answer, which begins with its status code, or a code of this server. */
const describeStatusError = (error: string): Text =>
  /^\d/.test(error)
    ? { fr: error, en: error }
    : (OWN_FAILURES[error] ?? describeDeliveryError(error));

function Outcome({ status }: { status: Status }) {
  const say = useSay();
  const { sent, error, attempts } = status;
  return (
    <>
      <State state={SENT_STATES[sent]} />
      {error !== null && ` ${say(describeStatusError(error))}`}
      {sent === "pending" && attempts > 0 && ` (${say(countAttempts(attempts))})`}
    </>
  );
}

function Statuses({ hook }: StatusReportingProps) {
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

function AppFields({ hook: { reporting } }: StatusReportingProps) {
  return (
    <details open={Boolean(useFormInput().values["app"] ?? reporting?.appId)}>
      <summary>
        <T text={WORDS.app} />
      </summary>
      <Field name="app" label={WORDS.appId} value={reporting?.appId ?? undefined} />
      <Field
        name="installation"
        label={WORDS.installationId}
        value={reporting?.installationId ?? undefined}
      />
      <TextArea name="key_secret" label={WORDS.key} rows={4} isSecret />
    </details>
  );
}

function StatusReportingForm(props: StatusReportingProps) {
  const { hook, path } = props;
  const { reporting, provider } = hook;
  const isGitHub = provider === "github";
  return (
    <Form action={`${path}/reporting#reporting`} submit={WORDS.save} isOnce>
      <Field
        name="repository"
        label={WORDS.repository}
        hint={isGitHub ? undefined : WORDS.gitlabHint}
        placeholder={isGitHub ? "owner/repo" : "group/project"}
        value={reporting?.repository}
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
        value={reporting?.api}
      />
      <Field
        name="context"
        label={WORDS.context}
        hint={WORDS.contextHint}
        placeholder="shipscore/preview"
        value={reporting?.context ?? undefined}
      />
      <Checkboxes
        name="report"
        label={WORDS.report}
        boxes={[{ name: "comment", label: WORDS.comment, isTicked: reporting?.comments ?? false }]}
      />
    </Form>
  );
}

export function StatusReportingSection(props: StatusReportingProps) {
  const { hook, path } = props;
  if (STATUS_PROVIDERS[hook.provider] === undefined) return null;
  return (
    <Section id="reporting" title={WORDS.title}>
      <p>
        <T text={WORDS.lead} />{" "}
        <a href="/docs/ci">
          <T text={WORDS.help} />
        </a>
        .
      </p>
      {hook.reporting && (
        <div class="actions">
          <State state={REPORTING_STATES[hook.reporting.state]} /> {hook.reporting.repository}
          <ActionButton
            action={`${path}/reporting/off`}
            label={WORDS.off}
            name={WORDS.offName}
            isPlain
          />
        </div>
      )}
      <Statuses {...props} />
      <StatusReportingForm {...props} />
    </Section>
  );
}

const typed = (fields: Fields, name: string) => fields[name]?.trim() || undefined;

const FAULTS: Readonly<Record<string, Refusal["problems"]>> = {
  reporting_repository_invalid: { repository: PROBLEMS.repository },
  reporting_api_invalid: { api: PROBLEMS.api },
  reporting_context_invalid: { context: PROBLEMS.context },
  reporting_key_invalid: { key_secret: PROBLEMS.key },
};

const describeFault = (fault: string) => FAULTS[fault] ?? { token_secret: PROBLEMS.credential };

const REFUSALS: Refusals = {
  input_invalid: ({ fault }) => describeFault(fault),
  status_host_refused: ({ host }) => ({ api: hostRefused(host) }),
  reporting_refused: ({ why }) => ({ token_secret: cannotWrite(why) }),
  secret_key_missing: { token_secret: HOOK_PROBLEMS.noKey },
};

export function addStatusReportingForms(addForm: AddProjectForm, deps: Deps): void {
  addForm(
    "/reporting",
    async ({ actor, id, fields }) => {
      const wanted = WantedReporting.safeParse({
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
      await setStatusReporting(deps, actor, id, wanted.data);
      return "reporting-on";
    },
    { refusals: REFUSALS },
  );
  addForm("/reporting/off", async ({ actor, id }) => {
    await stopStatusReporting(deps, actor, id);
    return "reporting-off";
  });
}
