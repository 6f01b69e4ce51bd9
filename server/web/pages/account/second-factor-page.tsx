import { say } from "../../../../shared/report/words.ts";
import type { NewSecondFactor } from "../../../access/second-factor.ts";
import { Field, Notice } from "../../kit/components.tsx";
import { CopyButton, CopyStatus } from "../../kit/copy.tsx";
import type { Filled } from "../../kit/forms.ts";
import { Section } from "../../kit/layout.tsx";
import { ConfirmField } from "../../kit/session/confirm.tsx";
import { SECOND_FACTOR_PATH as PATH, type SignedInRequest } from "../../kit/session/signed-in.ts";
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
            <a href="/settings/account/passkeys">{say(WORDS.passkey, language)}</a>
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
  /** What is wrong with what was typed into each form. */
  problemsOf: (form: string) => Filled["problems"];
}

/** What can be done with a second factor that is on. */
export function SwitchedOn({ signedIn, codesLeft, problemsOf }: SwitchedOnProps) {
  const { language } = signedIn;
  const renderConfirm = (form: string) => (
    <ConfirmField
      signedIn={signedIn}
      problem={problemsOf(form)["current_password"]}
      id={`${form}-current_password`}
    />
  );
  return (
    <>
      <Section id="codes" title={say(WORDS.codes, language)}>
        <p>{say(tellCodesLeft(codesLeft), language)}</p>
        <form method="post" action={`${PATH}/codes`} data-once>
          {renderConfirm("codes")}
          <button type="submit">{say(WORDS.renew, language)}</button>
        </form>
      </Section>
      <Section id="off" title={say(WORDS.turnOff, language)}>
        <p>{say(WORDS.turnOffLead, language)}</p>
        <form method="post" action={`${PATH}/off`}>
          {renderConfirm("off")}
          <button type="submit" class="danger">
            {say(WORDS.turnOff, language)}
          </button>
        </form>
      </Section>
    </>
  );
}

interface CodesProps {
  codes: readonly string[];
  signedIn: SignedInRequest;
}

/** The only place where recovery codes are shown. */
export function RecoveryCodes({ codes, signedIn: { language } }: CodesProps) {
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
