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

stdout carries the result alone; progress, notes and errors go to stderr.

On a terminal, a report or a table for people. Piped, one line a row, fields
separated by tabs, without a header, nulls empty. New columns only ever come
after these:

${formatColumns()}

With --json, the API's own value, also when the gate is not met, and the API's
error when there is one. A check under a gate adds "gate": whether it is met,
and each condition with what came of it. 'incidents' over all projects adds a
projectId to each; 'check' of several URLs is {"checks": [...]}, with "errors"
for those that could not be checked. With --field PATH, one value of that:
quota.remaining, findings.0.id, gate.met.

'check --report FORMAT=FILE', as often as wanted, also writes

${formatReportFormats()}

A page that could not be checked or judged is an error in all of them, with the
reason and what to do. The files are tried before the request, and written whole
or not at all. In GitHub Actions the ten findings that cost most become
annotations, the Markdown goes to the step's summary, and 'score', 'verdict',
'gate' (met or not_met) and 'report' to its outputs.

Examples

  shipscore check https://example.com/ --field score
  shipscore projects | awk -F'\\t' '$2 == "down" { print $4 }'
  shipscore check https://example.com/ --json | jq -r '.caps[].reason'
`;
}
