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
error when there is one. 'incidents' over all projects adds a projectId to each;
'check' of several URLs is {"checks": [...]}, with "errors" for those that could
not be checked. With --field PATH, one value of that: quota.remaining,
findings.0.id.

Examples

  shipscore check https://example.com/ --field score
  shipscore projects | awk -F'\\t' '$2 == "down" { print $4 }'
  shipscore check https://example.com/ --json | jq -r '.caps[].reason'
`;
