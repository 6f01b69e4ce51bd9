const MAX_LENGTH = 300;

/** The words by which a browser names itself, and its name. Words by which it passes for another stand below. */
const BROWSERS = [
  ["Edg/", "Edge"],
  ["EdgA/", "Edge"],
  ["EdgiOS/", "Edge"],
  ["OPR/", "Opera"],
  ["SamsungBrowser/", "Samsung Internet"],
  ["Vivaldi/", "Vivaldi"],
  ["FxiOS/", "Firefox"],
  ["Firefox/", "Firefox"],
  ["CriOS/", "Chrome"],
  ["HeadlessChrome/", "Chrome"],
  ["Chrome/", "Chrome"],
  ["Safari/", "Safari"],
  ["curl/", "curl"],
] as const;

const SYSTEMS = [
  ["iPhone", "iPhone"],
  ["iPad", "iPad"],
  ["Android", "Android"],
  ["Windows", "Windows"],
  ["CrOS", "ChromeOS"],
  ["Mac OS X", "macOS"],
  ["Linux", "Linux"],
] as const;

/** A browser in a few words, by its User-Agent: `Firefox, Linux`. Empty for one that says nothing known. */
export function nameBrowser(userAgent: string | undefined): string {
  const said = (userAgent ?? "").slice(0, MAX_LENGTH);
  const find = (known: readonly (readonly [string, string])[]) =>
    known.find(([part]) => said.includes(part))?.[1];
  return [find(BROWSERS), find(SYSTEMS)].filter(Boolean).join(", ");
}
