/**
 * Top-level domains and other public suffixes under which browsers use only https. These are the entries of policy
 * `public-suffix` in net/http/transport_security_state_static.json of Chromium 138 (June 2025), from which Firefox and
 * Safari build their own lists.
 */
export const PRELOAD_LIST = "Chromium 138";

const SUFFIXES: ReadonlySet<string> = new Set(
  [
    "amazon android app audible azure bank bing boo channel chrome dad day dev eat esq fire fly foo fujitsu gle gmail",
    "google hangout hotmail imdb ing insurance kindle meet meme microsoft mov new nexus office page phd play prime prof",
    "rsvp search silk skype windows xbox xn--cckwcxetd xn--jlq480n2rg youtube zappos zip",
    "bmoattachments.org cnpy.gdn gentapps.com now.sh onavstack.net",
  ]
    .join(" ")
    .split(" "),
);

export function findPreloaded(host: string): string | undefined {
  const labels = host.replace(/\.$/, "").split(".").slice(-2);
  return [labels.at(-1), labels.join(".")].find((suffix) => suffix && SUFFIXES.has(suffix));
}
