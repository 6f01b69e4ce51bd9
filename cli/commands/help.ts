import { EXIT, EXIT_MEANINGS, type ExitCode } from "../exit-codes.ts";
import type { Io } from "../io.ts";

export const TOPICS = ["exit-codes", "environment", "output"] as const;
type Topic = (typeof TOPICS)[number];

/** What follows the list of flags in the help of the program and of each command. */
export const EPILOGUES: Readonly<Record<string, string>> = {
  shipscore: `
Start here:
  export SHIPSCORE_TOKEN=...             a token of your account
  export SHIPSCORE_URL=https://...       your server
  shipscore check https://example.com/

Learn more:
  shipscore help COMMAND                 one command, with examples
  shipscore help exit-codes              what each exit code means
  shipscore help environment             the variables that are read
  shipscore help output                  terminal, tabs or JSON
`,
  check: `
Each check takes one slot of the month's quota; a retry after a lost connection
takes no second one. With --min-score the command exits 1 when the score is
lower, and 4 when the verdict is inconclusive.

Examples:
  shipscore check https://example.com/
  shipscore check https://example.com/ --min-score 80
  shipscore check "$PREVIEW_URL" --preview --json > check.json
`,
  projects: `
Examples:
  shipscore projects
  shipscore projects | awk -F'\\t' '$2 != "up"'
`,
  incidents: `
PROJECT is an id, or the name or address of exactly one visible project. Without
it, over all visible projects. Reading is free.

Examples:
  shipscore incidents
  shipscore incidents "My shop" --exit-code || echo "something is failing"
`,
  "last-ship": `
PROJECT is an id, or the name or address of exactly one visible project. Reading
is free.

Examples:
  shipscore last-ship "My shop"
  shipscore last-ship prj_7Xk2 --json | jq .lastShip.score
`,
};

const ENVIRONMENT = `Environment

  SHIPSCORE_TOKEN   the account's token, psk_ and 40 characters. It is read from
                    here alone: a command line can be read by other processes,
                    and stays in the shell's history
  SHIPSCORE_URL     the server's address; --base-url goes before it
                    (default http://127.0.0.1:7070). Plain http is refused to
                    any other machine
  SHIPSCORE_TARGET_HEADERS
                    a JSON object of the headers that open a protected preview
                    to 'check': x-vercel-protection-bypass, cf-access-client-id,
                    cf-access-client-secret
  LC_ALL, LC_MESSAGES, LANG
                    findings are French where the first one set begins with fr,
                    else English. The server's errors are always French
  HTTPS_PROXY, NO_PROXY
                    the way to the server; a server on this machine is always
                    reached directly
  NODE_EXTRA_CA_CERTS
                    a file of further certificate authorities to trust
  SHIPSCORE_FORCE_TTY
                    a number of columns: the page for people also in a pipe,
                    for the logs of a CI job
  NO_COLOR, FORCE_COLOR, TERM
                    no colour, colour all the same, and with TERM=dumb no
                    drawing characters either

Example

  read -rs SHIPSCORE_TOKEN && export SHIPSCORE_TOKEN
  export SHIPSCORE_URL=https://shipscore.example.com
`;

const OUTPUT = `Output

stdout carries the result alone; progress, notes and errors go to stderr.

On a terminal, a report or a table for people. Piped, one line a row, fields
separated by tabs, without a header, nulls empty. New columns only ever come
after these:

  check       score, verdict, url, finalUrl, id
  projects    id, state, score, name, url
  incidents   project id, id, since, url, reason
  last-ship   id, deployedAt, score, verdict, ref, commit, url

With --json, the API's own value, also when the gate is not met, and the API's
error when there is one. 'incidents' over all projects adds a projectId to each.

Examples

  shipscore check https://example.com/ | cut -f1
  shipscore projects | awk -F'\\t' '$2 == "down" { print $4 }'
  shipscore check https://example.com/ --json | jq -r '.caps[].reason'
`;

function formatExitCodes(): string {
  const rows = Object.values<ExitCode>(EXIT).map(
    (code) => `  ${String(code).padStart(3)}  ${EXIT_MEANINGS[code]}`,
  );
  return `Exit codes

${rows.join("\n")}

1 means that a condition you asked for is not met, and nothing else. From 40 on,
a code is the first and the last digit of the HTTP status. --no-fail turns 1 and
4 into 0; errors keep their code.

Example

  shipscore check https://example.com/ --min-score 80
  case $? in 0) echo ship ;; 1) echo "not yet" ;; *) echo "ask again" ;; esac
`;
}

export function printTopic(io: Io, topic: Topic): Promise<void> {
  if (topic === "exit-codes") return io.print(formatExitCodes());
  return io.print(topic === "environment" ? ENVIRONMENT : OUTPUT);
}
