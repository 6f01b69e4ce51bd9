import { T, useSay } from "../../kit/reader.tsx";
import type { PasskeySummary } from "../../../db/accounts/passkeys.ts";
import type { Text } from "../../../../shared/language.ts";
import { oneLine } from "../../../base/syntax/text.ts";
import { Button, Notice } from "../../kit/components.tsx";
import { Field, Form, useInputOf } from "../../kit/fields.tsx";
import { Section, Table } from "../../kit/layout.tsx";
import { Day, Time } from "../../kit/time.tsx";
import { ConfirmForm } from "../../kit/session/confirm.tsx";
import { PasskeyButton } from "../../kit/session/passkey.tsx";
import type { SignedInRequest } from "../../kit/session/signed-in.ts";
import { PASSKEY_WORDS as WORDS } from "./passkey-words.ts";

export const PASSKEYS_PATH = "/settings/account/passkeys";

export const namePasskey = ({ name }: Pick<PasskeySummary, "name">): string => oneLine(name, 100);

export function Passkeys({ signedIn: { hasPasskeys } }: { signedIn: SignedInRequest }) {
  return (
    <Section id="passkeys" title={WORDS.title}>
      <p>
        <T text={hasPasskeys ? WORDS.some : WORDS.lead} />
      </p>
      <p>
        <a href={PASSKEYS_PATH}>
          <T text={hasPasskeys ? WORDS.manage : WORDS.add} />
        </a>
      </p>
    </Section>
  );
}

interface PasskeysPageProps {
  signedIn: SignedInRequest;
  passkeys: readonly PasskeySummary[];
  /** False where browsers create no passkeys. */
  canAdd: boolean;
  /** The default name of a new passkey. */
  browser: string;
  refusal: Text | undefined;
}

export function PasskeyList({ passkeys }: Pick<PasskeysPageProps, "passkeys">) {
  const say = useSay();
  const edit = say(WORDS.edit);
  if (passkeys.length === 0)
    return (
      <p>
        <T text={WORDS.none} />
      </p>
    );
  return (
    <Table
      label={WORDS.title}
      head={[WORDS.name, WORDS.created, WORDS.lastUse, ""]}
      rows={passkeys.map((passkey) => ({
        key: passkey.id,
        cells: [
          namePasskey(passkey),
          <Day at={passkey.createdAt} />,
          passkey.lastUsedAt === null ? say(WORDS.neverUsed) : <Time at={passkey.lastUsedAt} />,
          <a href={`${PASSKEYS_PATH}/${passkey.id}`} aria-label={`${edit} ${namePasskey(passkey)}`}>
            {edit}
          </a>,
        ],
      }))}
    />
  );
}

function AddForm({ browser }: PasskeysPageProps) {
  return (
    <Form action={PASSKEYS_PATH}>
      <Field name="name" label={WORDS.nameOf} hint={WORDS.nameHint} value={browser} isRequired />
      <PasskeyButton
        label={WORDS.add}
        failed={WORDS.failed}
        optionsPath={`${PASSKEYS_PATH}/options`}
        field="credential"
      />
      <noscript>
        <p>
          <T text={WORDS.needsScript} />
        </p>
      </noscript>
    </Form>
  );
}

export const CONFIRM_PASSKEYS = `${PASSKEYS_PATH}/confirm`;

function Adding(props: PasskeysPageProps) {
  const { signedIn, canAdd } = props;
  const isRefused = "current_password" in useInputOf(CONFIRM_PASSKEYS).problems;
  if (!canAdd)
    return (
      <p>
        <T text={WORDS.needsName} />
      </p>
    );
  if (signedIn.isConfirmed && !isRefused) return <AddForm {...props} />;
  return <ConfirmForm signedIn={signedIn} action={CONFIRM_PASSKEYS} why={WORDS.confirmFirst} />;
}

export function PasskeysPage(props: PasskeysPageProps) {
  const { passkeys, refusal } = props;
  return (
    <>
      <h1>
        <T text={WORDS.title} />
      </h1>
      <p class="lead">
        <T text={WORDS.lead} />
      </p>
      {refusal !== undefined && (
        <Notice tone="bad">
          <p role="alert">
            <T text={refusal} />
          </p>
        </Notice>
      )}
      <PasskeyList passkeys={passkeys} />
      <Section id="add" title={WORDS.add}>
        <Adding {...props} />
      </Section>
      <p>
        <a href="/settings/account">
          <T text={WORDS.back} />
        </a>
      </p>
    </>
  );
}

export function PasskeyPage({ passkey }: { passkey: PasskeySummary }) {
  const path = `${PASSKEYS_PATH}/${passkey.id}`;
  return (
    <>
      <h1>{namePasskey(passkey)}</h1>
      <Form action={path}>
        <Field name="name" label={WORDS.nameOf} value={passkey.name}>
          <button type="submit">
            <T text={WORDS.save} />
          </button>
        </Field>
      </Form>
      <form action={`${path}/remove`}>
        <Button label={WORDS.remove} on={namePasskey(passkey)} tone="danger" />
      </form>
      <p>
        <a href={PASSKEYS_PATH}>
          <T text={WORDS.title} />
        </a>
      </p>
    </>
  );
}
