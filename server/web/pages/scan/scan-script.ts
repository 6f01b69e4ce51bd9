import { COPY_SCRIPT } from "../../kit/components.tsx";
import { LIVE_SCRIPT } from "../../kit/progress.tsx";
import { FOCUS_SCRIPT } from "../../kit/problems.tsx";

/** Sends the forms as JSON. If that fails, the browser sends the form as it would without script. */
export const SCAN_SCRIPT = `
function countDown(button, seconds) {
  const label = button.textContent;
  const end = Date.now() + seconds * 1000;
  button.hidden = false;
  button.disabled = true;
  button.form.querySelector(".early")?.remove();
  const tick = setInterval(show, 1000);
  show();
  function show() {
    const left = Math.ceil((end - Date.now()) / 1000);
    button.textContent = left > 0 ? \`\${label} (\${left} s)\` : label;
    button.disabled = left > 0;
    if (left <= 0) clearInterval(tick);
  }
}
for (const button of document.querySelectorAll("[data-wait]"))
  countDown(button, Number(button.dataset.wait));

async function send(form, fields) {
  const headers = { "accept": "application/json", "content-type": "application/json" };
  const response = await fetch(form.action, { method: "POST", headers, body: JSON.stringify(fields) });
  if (response.status !== 202) throw response;
  location.assign((await response.json()).statusUrl);
}

for (const form of document.querySelectorAll("form[action='/scan']")) {
  const release = () => form.removeAttribute("aria-busy");
  addEventListener("pageshow", release);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    form.setAttribute("aria-busy", "true");
    send(form, Object.fromEntries(new FormData(form))).catch(({ headers }) => {
      if (headers?.get("x-shipscore-error") !== "scan_too_soon") return form.submit();
      release();
      countDown(form.querySelector("button"), Number(headers.get("retry-after")));
    });
  });
}
${FOCUS_SCRIPT}${LIVE_SCRIPT}${COPY_SCRIPT}`;
