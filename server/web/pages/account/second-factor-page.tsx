import { encodeQR } from "qr";
import type { ComponentChildren } from "preact";
import { T, useSay } from "../../kit/reader.tsx";
import type { NewSecondFactor } from "../../../access/second-factor.ts";
import { Button, Notice, CopyButton, CopyStatus } from "../../kit/components.tsx";
import { Field, Form } from "../../kit/fields.tsx";
import { Section } from "../../kit/layout.tsx";
import { ConfirmField } from "../../kit/session/confirm.tsx";
import { SECOND_FACTOR_PATH as PATH, type SignedInRequest } from "../../kit/session/signed-in.ts";
import { PASSKEY_WORDS } from "./passkey-words.ts";
import { PASSKEYS_PATH } from "./passkeys-page.tsx";
import { SECOND_FACTOR_WORDS as WORDS, describeCodesLeft } from "./second-factor-words.ts";

const SIZE_PX = 220;
/** The quiet zone that QR readers need, in modules. */
const BORDER = 4;

const drawRow = (row: readonly boolean[], y: number) =>
  row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : "")).join("");

/** Dark on light in every color scheme, because some readers accept no other code. */
function QrCode({ text, label }: { text: string; label: string }) {
  const rows = encodeQR(text, "raw", { ecc: "low", border: BORDER });
  const size = rows.length;
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${size} ${size}`}
      width={SIZE_PX}
      height={SIZE_PX}
      shape-rendering="crispEdges"
    >
      <rect width={size} height={size} fill="#fff" />
      <path fill="#000" d={rows.map(drawRow).join("")} />
    </svg>
  );
}

const groupByFour = (text: string, separator: string) =>
  (text.match(/.{4}/g) ?? []).join(separator);

export function SecondFactor({ signedIn }: { signedIn: SignedInRequest }) {
  const { hasSecondFactor } = signedIn;
  return (
    <Section id="second-factor" title={WORDS.title}>
      <p>
        <T text={hasSecondFactor ? WORDS.isOn : WORDS.lead} />
      </p>
      <p>
        <a href={PATH}>
          <T text={WORDS.manage} />
        </a>
      </p>
    </Section>
  );
}

interface SetUpProps {
  signedIn: SignedInRequest;
  /** Undefined on a server that has no key to encrypt secrets. */
  factor: NewSecondFactor | undefined;
  /** The account cannot be used before two-factor authentication is set up. */
  isFirst: boolean;
}

export function SecondFactorPage({ children }: { children: ComponentChildren }) {
  return (
    <>
      <h1>
        <T text={WORDS.title} />
      </h1>
      <p class="lead">
        <T text={WORDS.lead} />
      </p>
      {children}
      <p>
        <a href="/settings/account">
          <T text={PASSKEY_WORDS.back} />
        </a>
      </p>
    </>
  );
}

export function SetUp({ signedIn, factor, isFirst }: SetUpProps) {
  const say = useSay();
  return (
    <>
      {isFirst && (
        <Notice tone="warn">
          <p>
            <T text={WORDS.required} />
          </p>
          <p>
            <a href={PASSKEYS_PATH}>
              <T text={PASSKEY_WORDS.add} />
            </a>
          </p>
        </Notice>
      )}
      {factor === undefined ? (
        <Notice tone="bad">
          <p>
            <T text={WORDS.noKey} />
          </p>
        </Notice>
      ) : (
        <Form action={PATH} isOnce>
          <p>
            <T text={WORDS.scan} />
          </p>
          <QrCode text={factor.uri} label={say(WORDS.qr)} />
          <p>
            <T text={WORDS.key} /> <code id="key">{groupByFour(factor.secret, " ")}</code>
          </p>
          <CopyButton of="key" name={WORDS.key} />
          <CopyStatus />
          <input type="hidden" name="sealed_secret" value={factor.sealed} />
          <Field
            name="code"
            label={WORDS.code}
            hint={WORDS.ends}
            autocomplete="one-time-code"
            isSecret
          />
          <ConfirmField signedIn={signedIn} />
          <button type="submit">
            <T text={WORDS.turnOn} />
          </button>
        </Form>
      )}
    </>
  );
}

interface EnabledProps {
  signedIn: SignedInRequest;
  codesLeft: number;
}

export function Enabled({ signedIn, codesLeft }: EnabledProps) {
  return (
    <>
      <Section id="codes" title={WORDS.codes}>
        <p>
          <T text={describeCodesLeft(codesLeft)} />
        </p>
        <Form action={`${PATH}/codes`} isOnce>
          <ConfirmField signedIn={signedIn} id="codes-current_password" />
          <button type="submit">
            <T text={WORDS.renew} />
          </button>
        </Form>
      </Section>
      <Section id="off" title={WORDS.turnOff}>
        <p>
          <T text={WORDS.turnOffLead} />
        </p>
        <Form action={`${PATH}/off`} isOnce>
          <ConfirmField signedIn={signedIn} id="off-current_password" />
          <Button label={WORDS.turnOff} tone="danger" />
        </Form>
      </Section>
    </>
  );
}

/** The only place where recovery codes are shown. */
export function RecoveryCodes({ codes }: { codes: readonly string[] }) {
  const text = codes.map((code) => groupByFour(code, "-")).join("\n");
  return (
    <div data-secret={PATH}>
      <Notice tone="good">
        <h2>
          <T text={WORDS.codes} />
        </h2>
        <p>
          <T text={WORDS.codesHint} />
        </p>
        <pre id="recovery-codes">{text}</pre>
        <CopyButton of="recovery-codes" name={WORDS.codes} />
        <p>
          <a
            download="shipscore.txt"
            href={`data:text/plain;charset=utf-8,${encodeURIComponent(text)}`}
          >
            <T text={WORDS.download} />
          </a>
        </p>
        <CopyStatus />
      </Notice>
    </div>
  );
}
