import { FORMATS, type Format } from "../reports/formats.ts";
import { hang } from "../terminal/layout.ts";
import { COLUMNS } from "../views/rows.ts";

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
