export const OUTPUT = `Output

stdout carries the result alone; progress, notes and errors go to stderr.

On a terminal, a report or a table for people. Piped, one line a row, fields
separated by tabs, without a header, nulls empty. New columns only ever come
after these:

  check       score, verdict, url, finalUrl, id
  projects    id, state, score, name, url
  incidents   project id, id, since, url, reason
  last-ship   id, deployedAt, score, verdict, ref, commit, url

With --json, the API's own value, also when the gate is not met, and the API's
error when there is one. A check under a gate adds "gate": whether it is met,
and each condition with what came of it. 'incidents' over all projects adds a
projectId to each; 'check' of several URLs is {"checks": [...]}, with "errors"
for those that could not be checked. With --field PATH, one value of that:
quota.remaining, findings.0.id, gate.met.

'check --report FORMAT=FILE', as often as wanted, also writes

  json        what --json prints
  markdown    for a comment, or the page of a job
  junit       XML for Jenkins, GitLab and others: a case for each finding and
              each condition of the gate. What failed fails, what lost a part of
              its points does not, what could not be seen is skipped
  sarif       2.1.0, for GitHub's code scanning
  gitlab      GitLab's Code Quality: what costs points, and what of the gate is
              not met
  html        one file for people, which loads nothing and prints well

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
