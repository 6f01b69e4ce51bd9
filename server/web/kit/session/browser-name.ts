const MAX_LENGTH = 300;

/** By a part of the User-Agent. Order matters: most browsers also claim to be Chrome or Safari. */
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

/** `Firefox, Linux`. Empty for an unknown User-Agent. */
export function nameBrowser(userAgent: string | undefined): string {
  const text = (userAgent ?? "").slice(0, MAX_LENGTH);
  const find = (known: readonly (readonly [string, string])[]) =>
    known.find(([part]) => text.includes(part))?.[1];
  return [find(BROWSERS), find(SYSTEMS)].filter(Boolean).join(", ");
}
