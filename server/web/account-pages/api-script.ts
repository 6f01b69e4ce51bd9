import { COPY_SCRIPT } from "../page/copy.tsx";

/**
 * The script of the API settings. A second click creates no second token; and once the page with a new token is left,
 * reloaded or gone back to, the token is not there any more.
 */
export const API_SCRIPT = `${COPY_SCRIPT}
const form = document.querySelector("form[data-once]");
form.addEventListener("submit", (event) => {
  if (form.getAttribute("aria-busy")) event.preventDefault();
  form.setAttribute("aria-busy", "true");
});
addEventListener("pageshow", () => form.removeAttribute("aria-busy"));
if (document.getElementById("token")) {
  history.replaceState(null, "", "/settings/api");
  addEventListener("pagehide", () => document.getElementById("token").remove());
  addEventListener("pageshow", ({ persisted }) => { if (persisted) location.reload(); });
}
`;
