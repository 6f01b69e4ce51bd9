import type { VNode } from "preact";
import { say } from "../../../../shared/report/words.ts";
import type { NewSecondFactor } from "../../../access/second-factor.ts";
import type { Language } from "../../../base/language.ts";
import { Field, Notice } from "../../kit/components.tsx";
import { CopyButton, CopyStatus } from "../../kit/copy.tsx";
import type { Filled } from "../../kit/forms.ts";
import { Section } from "../../kit/layout.tsx";
import { ConfirmField } from "../../kit/session/confirm.tsx";
import { SECOND_FACTOR_PATH as PATH, type SignedInRequest } from "../../kit/session/signed-in.ts";
import { PASSKEY_WORDS } from "./passkey-words.ts";
import { PASSKEYS_PATH } from "./passkeys-page.tsx";
import { QrCode } from "./qr-code.tsx";
import { SECOND_FACTOR_WORDS as WORDS, tellCodesLeft } from "./second-factor-words.ts";

const inFours = (text: string, separator: string) => (text.match(/.{4}/g) ?? []).join(separator);

/** The section of the account's page that leads to the second factor. */
export function SecondFactor({ signedIn }: { signedIn: SignedInRequest }) {
  const { hasSecondFactor, language } = signedIn;
  return (
    <Section id="second-factor" title={say(WORDS.title, language)}>
      <p>{say(hasSecondFactor ? WORDS.isOn : WORDS.lead, language)}</p>
      <p>
        <a href={PATH}>{say(WORDS.manage, language)}</a>
      </p>
    </Section>
  );
}

interface SetUpProps {
  signedIn: SignedInRequest;
  /** Undefined where the server cannot keep a secret. */
  factor: NewSecondFactor | undefined;
  problems: Filled["problems"];
  /** True where nothing else can be done before. */
  isFirst: boolean;
}

/** What switches the second factor on. */
export function SetUp({ signedIn, factor, problems, isFirst }: SetUpProps) {
  const { language } = signedIn;
  const key = say(WORDS.key, language);
  return (
    <>
      {isFirst && (
        <Notice tone="warn">
          <p>{say(WORDS.required, language)}</p>
          <p>
            <a href={PASSKEYS_PATH}>{say(PASSKEY_WORDS.add, language)}</a>
          </p>
        </Notice>
      )}
      {factor === undefined ? (
        <Notice tone="bad">
          <p>{say(WORDS.noKey, language)}</p>
        </Notice>
      ) : (
        <form method="post" action={PATH} data-once>
          <p>{say(WORDS.scan, language)}</p>
          <QrCode text={factor.uri} label={say(WORDS.qr, language)} />
          <p>
            {key} <code id="key">{inFours(factor.secret, " ")}</code>
          </p>
          <CopyButton of="key" name={key} language={language} />
          <CopyStatus />
          <input type="hidden" name="sealed_secret" value={factor.sealed} />
          <Field
            name="code"
            label={say(WORDS.code, language)}
            hint={say(WORDS.ends, language)}
            autocomplete="one-time-code"
            problem={problems["code"]}
          />
          <ConfirmField signedIn={signedIn} problem={problems["current_password"]} />
          <button type="submit">{say(WORDS.turnOn, language)}</button>
        </form>
      )}
    </>
  );
}

interface SwitchedOnProps {
  signedIn: SignedInRequest;
  codesLeft: number;
  problems: Filled["problems"];
  /** The path to which the form was sent that they are of. */
  sentTo: string | undefined;
}

/** What can be done with a second factor that is on. */
export function SwitchedOn({ signedIn, codesLeft, problems, sentTo }: SwitchedOnProps) {
  const { language } = signedIn;
  const renderForm = (id: string, button: VNode) => (
    <form method="post" action={`${PATH}/${id}`} data-once>
      <ConfirmField
        signedIn={signedIn}
        problem={sentTo === `${PATH}/${id}` ? problems["current_password"] : undefined}
        id={`${id}-current_password`}
      />
      {button}
    </form>
  );
  return (
    <>
      <Section id="codes" title={say(WORDS.codes, language)}>
        <p>{say(tellCodesLeft(codesLeft), language)}</p>
        {renderForm("codes", <button type="submit">{say(WORDS.renew, language)}</button>)}
      </Section>
      <Section id="off" title={say(WORDS.turnOff, language)}>
        <p>{say(WORDS.turnOffLead, language)}</p>
        {renderForm(
          "off",
          <button type="submit" class="danger">
            {say(WORDS.turnOff, language)}
          </button>,
        )}
      </Section>
    </>
  );
}

/** The only place where recovery codes are shown. */
export function RecoveryCodes({
  codes,
  language,
}: {
  codes: readonly string[];
  language: Language;
}) {
  const name = say(WORDS.codes, language);
  const text = codes.map((code) => inFours(code, "-")).join("\n");
  return (
    <div data-secret={PATH}>
      <Notice tone="good">
        <h2>{name}</h2>
        <p>{say(WORDS.codesHint, language)}</p>
        <pre id="recovery-codes">{text}</pre>
        <CopyButton of="recovery-codes" name={name} language={language} />
        <p>
          <a
            download="shipscore.txt"
            href={`data:text/plain;charset=utf-8,${encodeURIComponent(text)}`}
          >
            {say(WORDS.download, language)}
          </a>
        </p>
        <CopyStatus />
      </Notice>
    </div>
  );
}
