import type { Env, OutputStream } from "./io.ts";

const LINKING_TERMINALS = /^(?:alacritty|foot|xterm-ghostty|xterm-kitty)/;

/** From which version on a program that draws terminals has hyperlinks. */
const LINKING_PROGRAMS: Readonly<Record<string, readonly [number, number]>> = {
  "iTerm.app": [3, 1],
  WezTerm: [20_200_620, 0],
  ghostty: [0, 0],
  vscode: [1, 72],
  zed: [0, 0],
};

function isSince(version: string, [major, minor]: readonly [number, number]): boolean {
  const [own = 0, ownMinor = 0] = version.split(/[.-]/).map(Number);
  return own > major || (own === major && ownMinor >= minor);
}

/** VTE writes 0.76.1 as 7601; the first release with hyperlinks, 0.50.0, could crash on one. */
const LAST_VTE_WITHOUT = 5000;

/** Whether a stream's terminal is known to have hyperlinks (OSC 8). FORCE_HYPERLINK decides where it is set. */
export function hasHyperlinks(stream: OutputStream, env: Env): boolean {
  if (env.FORCE_HYPERLINK !== undefined) return !/^(?:0|false)$/.test(env.FORCE_HYPERLINK);
  const isJob = (env.CI && env.CI !== "false") || env.TEAMCITY_VERSION;
  if (!stream.isTTY || isJob || env.NO_COLOR || env.TERM === "dumb") return false;
  const since = LINKING_PROGRAMS[env.TERM_PROGRAM ?? ""];
  if (since !== undefined) return isSince(env.TERM_PROGRAM_VERSION ?? "", since);
  return (
    env.WT_SESSION !== undefined ||
    LINKING_TERMINALS.test(env.TERM ?? "") ||
    Number(env.VTE_VERSION) > LAST_VTE_WITHOUT
  );
}
