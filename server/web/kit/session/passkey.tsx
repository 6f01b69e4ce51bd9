import type { Text } from "../../../../shared/language.ts";
import { T, useSay } from "../reader.tsx";
import type { FastifyRequest } from "fastify";
import type { RelyingParty } from "../../../access/webauthn.ts";
import type { Config } from "../../../config.ts";
import { findOwnOrigin } from "../../../http/origin.ts";

interface PasskeyButtonProps {
  label: Text;
  /** What it says if the browser gave no answer. */
  failed: Text;
  /** The path of what is asked of the passkey. */
  optionsPath: string;
  /** The hidden field that the answer is sent in. */
  field: "passkey" | "credential";
}

/** Sends its form with what a passkey answered; needs `PASSKEY_SCRIPT`, and is not seen without it. */
export function PasskeyButton({ label, failed, optionsPath, field }: PasskeyButtonProps) {
  const say = useSay();
  return (
    <div class="field">
      <input type="hidden" name={field} />
      <button
        type="button"
        class={field === "passkey" ? "second" : undefined}
        hidden
        data-passkey={optionsPath}
        data-field={field}
      >
        <T text={label} />
      </button>
      <p role="status" class="problem" data-failed={say(failed)} />
    </div>
  );
}

/**
 * What the buttons of passkeys do: `data-passkey` is the path of what is asked of the passkey, `data-field` the hidden
 * field that its answer is sent in. Browsers without passkeys never show them.
 */
export const PASSKEY_SCRIPT = `{
const toBytes = (text) =>
  Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), (each) => each.charCodeAt(0));
const toText = (bytes) =>
  btoa(String.fromCharCode(...new Uint8Array(bytes))).replace(/\\+/g, "-").replace(/\\//g, "_").replace(/=/g, "");

function describe({ id, type, response }) {
  const answer = { transports: response.getTransports?.() };
  for (const part of ["clientDataJSON", "attestationObject", "authenticatorData", "signature", "userHandle"])
    if (response[part]) answer[part] = toText(response[part]);
  return JSON.stringify({ id, rawId: id, type, response: answer });
}

async function askPasskey({ form, dataset }) {
  const { create, get } = await (await fetch(dataset.passkey)).json();
  const publicKey = create ?? get;
  publicKey.challenge = toBytes(publicKey.challenge);
  if (create) create.user.id = toBytes(create.user.id);
  for (const each of create?.excludeCredentials ?? []) each.id = toBytes(each.id);
  const ways = navigator.credentials;
  const credential = await (create ? ways.create({ publicKey }) : ways.get({ publicKey }));
  form.elements[dataset.field].value = describe(credential);
  form.submit();
}

for (const button of document.querySelectorAll("[data-passkey]")) {
  const status = button.nextElementSibling;
  button.hidden = !window.PublicKeyCredential;
  button.addEventListener("click", async () => {
    if (button.disabled || (button.dataset.field === "credential" && !button.form.reportValidity())) return;
    button.disabled = true;
    status.textContent = "";
    await askPasskey(button).catch(() => { status.textContent = status.dataset.failed; });
    button.disabled = false;
  });
}
}`;

const ADDRESS = /^[\d.]+$|^\[/;

/** This server, as passkeys know it; undefined where browsers make none: at an address instead of a name. */
export function findRelyingParty(
  { headers }: Pick<FastifyRequest, "headers">,
  config: Config,
): RelyingParty | undefined {
  const origin = findOwnOrigin(headers.host, config);
  if (origin === undefined) return undefined;
  const { hostname } = new URL(origin);
  return ADDRESS.test(hostname) ? undefined : { id: hostname, origin };
}
