/**
 * Keeps a page up to date by the events of the `data-events` that one of its elements names. `state` has the text of
 * `#live`; at `changed` each part `data-live` gets what it has on a fresh page, unless the reader is in it; at
 * `end`, and once a fresh page has no events, the whole page is loaded again. A page whose stream was closed for another
 * asks by itself, each `data-every` milliseconds.
 */
export const LIVE_SCRIPT = `
const told = document.querySelector("[data-events]");
if (told) {
  const { events: source, every } = told.dataset;
  const events = new EventSource(source);
  const reload = () => location.reload();
  const refresh = async () => {
    const answer = await fetch(location.href);
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    if (answer.status >= 500 || answer.status === 429) return;
    if (!page.querySelector("[data-events]")) return reload();
    for (const part of document.querySelectorAll("[data-live]")) {
      const fresh = page.getElementById(part.id);
      if (fresh && !part.contains(document.activeElement)) part.replaceChildren(...fresh.childNodes);
    }
  };
  const tryRefresh = () => refresh().catch(() => {});
  const ask = () => {
    events.close();
    if (every) setInterval(tryRefresh, every);
    else setTimeout(reload, 2000);
  };
  events.addEventListener("state", ({ data }) => {
    document.getElementById("live").textContent = JSON.parse(data).text;
  });
  events.addEventListener("changed", tryRefresh);
  events.addEventListener("stop", ask);
  events.addEventListener("end", () => {
    events.close();
    reload();
  });
  events.onerror = () => {
    if (events.readyState === EventSource.CLOSED) ask();
  };
}
`.replaceAll(/\n +/g, "\n");
