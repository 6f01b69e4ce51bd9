import { say } from "../../../../shared/report/words.ts";
import type { PasskeySummary } from "../../../db/accounts/passkeys.ts";
import type { Text } from "../../../base/language.ts";
import { oneLine } from "../../../base/syntax/one-line.ts";
import { Field, Notice } from "../../kit/components.tsx";
import type { Filled } from "../../kit/forms.ts";
import { Section } from "../../kit/layout.tsx";
import { Table } from "../../kit/table.tsx";
import { Day, Time } from "../../kit/time.tsx";
import { ConfirmField, ConfirmForm } from "../../kit/session/confirm.tsx";
import { PasskeyButton } from "../../kit/session/passkey-button.tsx";
import type { SignedInRequest } from "../../kit/session/signed-in.ts";
import { PASSKEY_WORDS as WORDS } from "./passkey-words.ts";

export const PASSKEYS_PATH = "/settings/account/passkeys";

/** A passkey's name as it is shown. */
export const namePasskey = ({ name }: Pick<PasskeySummary, "name">): string => oneLine(name, 100);

/** The section of the account's page that leads to the passkeys. */
export function Passkeys({ signedIn: { hasPasskeys, language } }: { signedIn: SignedInRequest }) {
  return (
    <Section id="passkeys" title={say(WORDS.title, language)}>
      <p>{say(hasPasskeys ? WORDS.some : WORDS.lead, language)}</p>
      <p>
        <a href={PASSKEYS_PATH}>{say(hasPasskeys ? WORDS.manage : WORDS.add, language)}</a>
      </p>
    </Section>
  );
}

interface PasskeysPageProps {
  signedIn: SignedInRequest;
  passkeys: readonly PasskeySummary[];
  /** False where browsers make no passkeys. */
  canAdd: boolean;
  filled: Filled;
  /** Why no passkey was added. */
  refusal?: Text | undefined;
}

/** The passkeys, each with its last use and the link to the page that changes and removes it. */
export function PasskeyList({
  passkeys,
  signedIn,
}: Pick<PasskeysPageProps, "passkeys" | "signedIn">) {
  const { language, now } = signedIn;
  const head = [WORDS.name, WORDS.created, WORDS.lastUse].map((text) => say(text, language));
  const edit = say(WORDS.edit, language);
  const rows = passkeys.map((passkey) => ({
    key: passkey.id,
    cells: [
      namePasskey(passkey),
      <Day at={passkey.createdAt} reader={signedIn} />,
      passkey.lastUsedAt === null ? (
        say(WORDS.neverUsed, language)
      ) : (
        <Time at={passkey.lastUsedAt} now={now} reader={signedIn} />
      ),
      <a href={`${PASSKEYS_PATH}/${passkey.id}`} aria-label={`${edit} ${namePasskey(passkey)}`}>
        {edit}
      </a>,
    ],
  }));
  if (rows.length === 0) return <p>{say(WORDS.none, language)}</p>;
  return <Table label={say(WORDS.title, language)} head={[...head, ""]} rows={rows} />;
}

function AddForm({ signedIn: { language }, filled: { values, problems } }: PasskeysPageProps) {
  return (
    <form method="post" action={PASSKEYS_PATH}>
      <Field
        name="name"
        label={say(WORDS.nameOf, language)}
        hint={say(WORDS.nameHint, language)}
        value={values["name"]}
        problem={problems["name"]}
        isRequired
      />
      <PasskeyButton
        label={WORDS.add}
        failed={WORDS.failed}
        asks={`${PASSKEYS_PATH}/options`}
        field="credential"
        language={language}
      />
      <noscript>
        <p>{say(WORDS.needsScript, language)}</p>
      </noscript>
    </form>
  );
}

function Adding(props: PasskeysPageProps) {
  const { signedIn, canAdd, filled } = props;
  if (!canAdd) return <p>{say(WORDS.needsName, signedIn.language)}</p>;
  const problem = filled.problems["current_password"];
  if (signedIn.isConfirmed && problem === undefined) return <AddForm {...props} />;
  const action = `${PASSKEYS_PATH}/confirm`;
  return <ConfirmForm {...{ signedIn, problem, action, why: WORDS.confirmFirst }} />;
}

/** The passkeys of an account, and another one. */
export function PasskeysPage(props: PasskeysPageProps) {
  const { signedIn, passkeys, refusal } = props;
  const { language } = signedIn;
  return (
    <>
      <h1>{say(WORDS.title, language)}</h1>
      <p class="lead">{say(WORDS.lead, language)}</p>
      {refusal !== undefined && (
        <Notice tone="bad">
          <p role="alert">{say(refusal, language)}</p>
        </Notice>
      )}
      <PasskeyList passkeys={passkeys} signedIn={signedIn} />
      <Section id="add" title={say(WORDS.add, language)}>
        <Adding {...props} />
      </Section>
      <p>
        <a href="/settings/account">{say(WORDS.back, language)}</a>
      </p>
    </>
  );
}

interface PasskeyPageProps {
  signedIn: SignedInRequest;
  passkey: PasskeySummary;
  filled: Filled;
}

/** A passkey's name, and its removal. */
export function PasskeyPage({ signedIn, passkey, filled: { values, problems } }: PasskeyPageProps) {
  const { language } = signedIn;
  const path = `${PASSKEYS_PATH}/${passkey.id}`;
  const [save, remove] = [say(WORDS.save, language), say(WORDS.remove, language)];
  return (
    <>
      <h1>{namePasskey(passkey)}</h1>
      <form method="post" action={path}>
        <Field
          name="name"
          label={say(WORDS.nameOf, language)}
          value={values["name"] ?? passkey.name}
          problem={problems["name"]}
        >
          <button type="submit">{save}</button>
        </Field>
      </form>
      <Section id="remove" title={remove}>
        <p>{say(WORDS.removal, language)}</p>
        <form method="post" action={`${path}/remove`}>
          <ConfirmField signedIn={signedIn} problem={problems["current_password"]} />
          <button type="submit" class="danger" aria-label={`${remove} ${namePasskey(passkey)}`}>
            {remove}
          </button>
        </form>
      </Section>
      <p>
        <a href={PASSKEYS_PATH}>{say(WORDS.title, language)}</a>
      </p>
    </>
  );
}
