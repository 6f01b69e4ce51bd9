import { EXIT, EXIT_MEANINGS, type ExitCode } from "../terminal/exit-codes.ts";
import { FORMATS, type Format } from "../reports/formats.ts";
import { hang } from "../terminal/layout.ts";
import { COLUMNS } from "../views/rows.ts";

export const CI = `In CI

Examples:
  shipscore check "$PREVIEW_URL" --preview --min-score 80
  shipscore-server exec -- \\
    shipscore check "$PREVIEW_URL" --preview --min-score 80

The job needs two variables, the second of them a secret of the CI system:

  SHIPSCORE_URL=https://shipscore.example.com
  SHIPSCORE_TOKEN=psk_...

and the command (docs/install.md). Without a server of your own, the second
example starts one for the length of the command, with a token of its own.

The job fails with 1 when a condition is not met, with 4 when the page could not
be judged, and with another code when there was no response ('shipscore help
exit-codes'). The log has the whole report, on stderr; stdout has one row for
scripts. -q leaves the gate's result and errors.

A site that is not good yet begins with a gate for what is new: save the answer
for the default branch, and hold each preview against it.

  shipscore check https://example.com/ --save main.json
  shipscore check "$PREVIEW_URL" --preview --as https://example.com/ \\
    --baseline main.json --fail-on-new

  --wait-for-ready 120      first waits for a preview that is being deployed
  --as URL                  reports the findings under this stable URL
  SHIPSCORE_TARGET_HEADERS  opens a protected preview; as secret as the token
                            ('shipscore help environment')
  SHIPSCORE_TARGET_ORIGIN   names its origin, if only shipscore.json does

docs/ci.md in the package has set-ups to copy: GitHub Actions, GitLab CI,
Jenkins, CircleCI, Buildkite, Azure Pipelines, a git hook, cron.
`;

export const ENVIRONMENT = `Environment

Examples:
  read -rs SHIPSCORE_TOKEN && export SHIPSCORE_TOKEN
  export SHIPSCORE_URL=https://shipscore.example.com

  SHIPSCORE_TOKEN   a token of your account, psk_ and 40 characters, made on the
                    server's page /settings/api. It is read from here only: a
                    command line is visible to other processes and stays in the
                    shell's history. 'explain' and 'check --from' need none
  SHIPSCORE_URL     the server's address (default http://127.0.0.1:7070);
                    --base-url overrides it. Plain http is accepted for this
                    machine only
  SHIPSCORE_TARGET_HEADERS
                    a JSON object with the headers that open a protected preview
                    to 'check': x-vercel-protection-bypass, cf-access-client-id,
                    cf-access-client-secret
  SHIPSCORE_TARGET_ORIGIN
                    the https origin that these headers are for, if only a file
                    names it; a typed URL and --site need no such permission
  LC_ALL, LC_MESSAGES, LANG
                    findings, reports and the server's errors are in French if
                    the first of these that is set begins with fr, else in
                    English; help and the command's own errors are in English
  HTTPS_PROXY, NO_PROXY
                    the proxy on the way to the server, and the hosts that are
                    reached without it, as this machine always is
  NODE_EXTRA_CA_CERTS
                    a file of additional certificate authorities to trust
  SHIPSCORE_FORCE_TTY
                    a number of columns: prints the page for people into a pipe
  GITHUB_ACTIONS    if it is true, 'check' annotates conditions that are not met
                    and what costs points, and writes to GITHUB_STEP_SUMMARY and
                    GITHUB_OUTPUT
  SHIPSCORE_PUBLIC_URL
                    under 'shipscore-server exec', the lasting server whose
                    rules' page the reports link to
  CI                unless it is false, 'check' writes its report to stderr
                    where stdout is no terminal
  NO_COLOR, FORCE_COLOR, TERM
                    NO_COLOR turns colour off and FORCE_COLOR on; TERM=dumb also
                    turns drawing characters off
  FORCE_HYPERLINK   1 makes a rule's id a link to its documentation, 0 does not;
                    otherwise the terminal decides
`;

export function formatExitCodes(): string {
  const rows = Object.values<ExitCode>(EXIT).map(
    (code) => `  ${String(code).padStart(3)}  ${EXIT_MEANINGS[code]}`,
  );
  return `Exit codes

Examples:
  shipscore check https://example.com/ --min-score 80
  case $? in 0) echo ship ;; 1) echo "not yet" ;; *) echo "ask again" ;; esac

${rows.join("\n")}

1 means that a condition you asked for is not met, and nothing else. Codes from
40 to 53 are the first and the last digit of an HTTP status: 44 is a 404.
--no-fail turns 1 and 4 into 0; errors keep their code. What is wrong with the
command line is 2 before anything is sent, and uses no check of the quota.
`;
}

const OTHER_CLIENTS = `Cursor, .cursor/mcp.json:

  {
    "mcpServers": {
      "shipscore": {
        "type": "stdio",
        "command": "shipscore",
        "args": ["mcp"],
        "env": {
          "SHIPSCORE_URL": "https://shipscore.example.com",
          "SHIPSCORE_TOKEN": "\${env:SHIPSCORE_TOKEN}"
        }
      }
    }
  }

VS Code, .vscode/mcp.json:

  {
    "inputs": [
      {
        "type": "promptString",
        "id": "shipscore-token",
        "description": "shipscore token",
        "password": true
      }
    ],
    "servers": {
      "shipscore": {
        "type": "stdio",
        "command": "shipscore",
        "args": ["mcp"],
        "env": {
          "SHIPSCORE_URL": "https://shipscore.example.com",
          "SHIPSCORE_TOKEN": "\${input:shipscore-token}"
        }
      }
    }
  }

Codex, ~/.codex/config.toml:

  [mcp_servers.shipscore]
  command = "shipscore"
  args = ["mcp"]
  env = { SHIPSCORE_URL = "https://shipscore.example.com" }
  env_vars = ["SHIPSCORE_TOKEN"]

`;

/** How clients are set up; of most only with `isWhole`. */
export const describeMcp = (isWhole: boolean) => `
Speaks MCP on stdin and stdout with an assistant that starts commands, and
passes each message to /mcp of the server, which needs the plan Team. The token
is read from SHIPSCORE_TOKEN alone: hand it over from the environment or from
the client's secret input, as here, and no file holds it.

Claude Code, .mcp.json:

  {
    "mcpServers": {
      "shipscore": {
        "command": "shipscore",
        "args": ["mcp"],
        "env": {
          "SHIPSCORE_URL": "https://shipscore.example.com",
          "SHIPSCORE_TOKEN": "\${SHIPSCORE_TOKEN}"
        }
      }
    }
  }

${isWhole ? OTHER_CLIENTS : "Cursor, VS Code and Codex are in --help-all.\n\n"}Any other client: the command 'shipscore mcp' with SHIPSCORE_URL and
SHIPSCORE_TOKEN in its environment.

These clients can also call https://shipscore.example.com/mcp themselves, with
the token in a header: docs/mcp.md in the package shows how, and what each tool
does. A call that fails is answered as an error, and explained in a line on
stderr, which most clients keep in a log.
`;

const NAME_COLUMNS = 17;

/** Names and what they stand for, in 80 columns. */
function formatEntries(entries: readonly (readonly [name: string, text: string])[]): string {
  const lines = entries.flatMap(([name, text]) => hang(`  ${name.padEnd(NAME_COLUMNS)}`, text, 80));
  return lines.join("\n");
}

function formatColumns(): string {
  return formatEntries(Object.entries(COLUMNS).map(([name, names]) => [name, names.join(", ")]));
}

function formatReportFormats(): string {
  const formats = Object.entries<Format>(FORMATS);
  return formatEntries(formats.map(([name, { summary }]) => [name, summary]));
}

const WHOLE = () => `
--json prints the API's own value, also when the gate is not met, and the API's
error when there is one. A gate adds "gate" to a check: whether it is met, what
each condition came to, and in "accepted" which findings are accepted.
'incidents' over all projects adds projectId and projectName to each; 'check' of
several URLs is {"checks": [...]}, with "errors" for the URLs that could not be
checked.

'check --save FILE' keeps that JSON. 'check --from FILE' shows, explains, gates
and reports it again without a request. --baseline FILE compares with it: each
finding that earns less or caps the score lower is 'new', others are 'fixed' or
'not checked', the rest is counted; on stderr where stdout is no terminal.

Findings that cap the score come first, lowest limit first, then those
that cost the most points. Texts are in the language of the locale; ids, columns
and the names of tests and rules never change.

FORMAT=- prints a report in place of the result. A page that could not be
checked or judged is an error in each of them, with the reason and what to do.
Before the first request, the command makes sure that it can write the files;
they are written whole, or not at all. Devices and pipes are written to.

SARIF and GitLab know a finding again by the URL as typed, JUnit by its host and
path. Where the address changes from run to run, as that of a preview does,
--as URL names the page in its place. No report shows the values of a query.

In GitHub Actions ten annotations tell of errors, of each condition that is not
met, then of findings. The Markdown becomes the step's summary, and 'score',
'verdict', 'gate' (met or not_met) and 'report' become its outputs.
`;

/** How results are printed and reported; every detail of it only with `isWhole`. */
export function formatOutput(isWhole: boolean): string {
  return `Output

Examples:
  shipscore check https://example.com/ --field score
  shipscore check https://example.com/ --report sarif=- > shipscore.sarif
  shipscore check --from main.json --report html=main.html
  shipscore projects | awk -F'\\t' '$2 == "down" { print $4 }'
  shipscore check https://example.com/ --json | jq -r '.caps[].reason'

stdout has only the result; progress, notes and errors go to stderr. A terminal
gets a report or a table for people, in a CI job (CI is set) stderr does. A pipe
gets rows: one per line, without a header, fields separated by tabs, a null as
an empty field. New columns only ever come after these:

${formatColumns()}

--json prints the API's value, also when the gate is not met, and --field PATH
one field of it, such as quota.remaining, findings.0.id or gate.met. -q leaves
the gate's result and errors on stderr.

'check --report FORMAT=FILE', given once or more, also writes

${formatReportFormats()}
${isWhole ? WHOLE() : "\n'shipscore help output --help-all' says more.\n"}`;
}
