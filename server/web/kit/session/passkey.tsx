import type { Text } from "../../../../shared/language.ts";
import { T, useSay } from "../reader.tsx";
import type { FastifyRequest } from "fastify";
import type { RelyingParty } from "../../../access/webauthn.ts";
import type { Config } from "../../../config.ts";
import { findOwnOrigin } from "../../../http/origin.ts";

interface PasskeyButtonProps {
  label: Text;
  /** For a browser that provides no credential. */
  failed: Text;
  optionsPath: string;
  field: "passkey" | "credential";
}

/** Hidden unless `PASSKEY_SCRIPT` runs. */
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
 * `data-passkey` is the path of the WebAuthn options, `data-field` the hidden field that gets the response. Browsers without
 * passkeys never show the buttons.
 */
export const PASSKEY_SCRIPT = `{
const toBytes = (text) =>
  Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), (each) => each.charCodeAt(0));
const toText = (bytes) =>
  btoa(String.fromCharCode(...new Uint8Array(bytes))).replace(/\\+/g, "-").replace(/\\//g, "_").replace(/=/g, "");

function describe({ id, type, response }) {
  const written = { transports: response.getTransports?.() };
  for (const part of ["clientDataJSON", "attestationObject", "authenticatorData", "signature", "userHandle"])
    if (response[part]) written[part] = toText(response[part]);
  return JSON.stringify({ id, rawId: id, type, response: written });
}

async function usePasskey({ form, dataset }) {
  const { create, get } = await (await fetch(dataset.passkey)).json();
  const publicKey = create ?? get;
  publicKey.challenge = toBytes(publicKey.challenge);
  if (create) create.user.id = toBytes(create.user.id);
  for (const each of create?.excludeCredentials ?? []) each.id = toBytes(each.id);
  const { credentials } = navigator;
  const credential = await (create ? credentials.create({ publicKey }) : credentials.get({ publicKey }));
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
    await usePasskey(button).catch(() => { status.textContent = status.dataset.failed; });
    button.disabled = false;
  });
}
}`;

const IP_ADDRESS = /^[\d.]+$|^\[/;

/** Undefined at an IP address, where browsers create no passkeys. */
export function findRelyingParty(
  { headers }: Pick<FastifyRequest, "headers">,
  config: Config,
): RelyingParty | undefined {
  const origin = findOwnOrigin(headers.host, config);
  if (origin === undefined) return undefined;
  const { hostname } = new URL(origin);
  return IP_ADDRESS.test(hostname) ? undefined : { id: hostname, origin };
}
