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

export function formatOutput(): string {
  return `Output

stdout carries only the result; progress, notes and errors go to stderr.

A terminal gets a report or a table for people. A pipe gets rows: one per line,
without a header, fields separated by tabs, a null as an empty field.
New columns only ever come after these:

${formatColumns()}

--json prints the API's own value, also when the gate is not met, and the API's
error when there is one. A gate adds "gate" to a check: whether it is met, and
what each condition came to. 'incidents' over all projects adds projectId and
projectName to each; 'check' of several URLs is {"checks": [...]}, with "errors"
for the URLs that could not be checked. --field PATH prints one field of that
JSON: quota.remaining, findings.0.id, gate.met.

'check --report FORMAT=FILE', given once or more, also writes

${formatReportFormats()}

A page that could not be checked or judged is an error in each of them, with the
reason and what to do. Before the first request, the command makes sure that it
can write the files; they are written whole, or not at all. In GitHub Actions
the ten findings that cost the most points become annotations, the Markdown
becomes the step's summary, and 'score', 'verdict', 'gate' (met or not_met) and
'report' become its outputs.

Examples

  shipscore check https://example.com/ --field score
  shipscore projects | awk -F'\\t' '$2 == "down" { print $4 }'
  shipscore check https://example.com/ --json | jq -r '.caps[].reason'
`;
}
