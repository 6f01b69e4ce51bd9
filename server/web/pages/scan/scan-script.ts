import { LIVE_SCRIPT } from "../../kit/live-script.ts";
import { FOCUS_SCRIPT } from "../../kit/problems.tsx";

/**
 * The only script of the scan's pages, allowed by its hash. The form `#scan` is sent as JSON, with a proof of work if
 * the server asks for one; whatever fails is left to the browser, which sends the form as without script. `LIVE_SCRIPT`
 * shows how a scan goes.
 *
 * crypto.subtle exists only over https and on localhost; a thousand hashes at a time leave the page its turns.
 */
export const SCAN_SCRIPT = `
const form = document.getElementById("scan");

const hash = (text) => crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));

async function solve({ challenge, bits }) {
  const isProof = async (nonce) =>
    new DataView(await hash(challenge + nonce)).getUint32(0) >>> (32 - bits) === 0;
  for (let first = 0; ; first += 1000) {
    const nonces = Array.from({ length: 1000 }, (_, index) => String(first + index));
    const found = (await Promise.all(nonces.map(isProof))).indexOf(true);
    if (found >= 0) return { challenge, nonce: nonces[found] };
  }
}

async function send(fields) {
  const headers = { "accept": "application/json", "content-type": "application/json" };
  const answer = await fetch(form.action, { method: "POST", headers, body: JSON.stringify(fields) });
  const { statusUrl, challenge, bits } = await answer.json();
  if (answer.status === 202) location.assign(statusUrl);
  else if (answer.status !== 429 || !challenge || fields.challenge) throw answer;
  else await send({ ...fields, ...(await solve({ challenge, bits })) });
}

form?.addEventListener("submit", (event) => {
  event.preventDefault();
  form.setAttribute("aria-busy", "true");
  send(Object.fromEntries(new FormData(form))).catch(() => form.submit());
});
addEventListener("pageshow", () => form?.removeAttribute("aria-busy"));
${FOCUS_SCRIPT}
${LIVE_SCRIPT}`;
