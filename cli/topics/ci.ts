export const CI = `In CI

The job needs two variables, the second of them a secret of the CI system:

  SHIPSCORE_URL=https://shipscore.example.com
  SHIPSCORE_TOKEN=psk_...

and one line, once the command is installed (docs/install.md):

  shipscore check "$PREVIEW_URL" --preview --min-score 80

Without a server of your own, start one for the length of the command, with a
token of its own:

  shipscore-server exec -- \\
    shipscore check "$PREVIEW_URL" --preview --min-score 80

The job fails with 1 when a condition is not met, with 4 when the page could not
be judged, and with another code when there was no response ('shipscore help
exit-codes'). The log then says why: what caps the score, and the five findings
that cost the most. Without a terminal, the command prints a line when it
starts, and one at each retry.

A site that is not good yet begins with a gate for what is new: save the answer
for the default branch, and hold each preview against it.

  shipscore check https://example.com/ --save main.json
  shipscore check "$PREVIEW_URL" --preview --as https://example.com/ \\
    --baseline main.json --fail-on new

  --wait-for-ready 120      first waits for a preview that is being deployed
  --as URL                  reports the findings under this stable URL
  SHIPSCORE_FORCE_TTY=100   prints the whole report in the job's log
  SHIPSCORE_TARGET_HEADERS  opens a protected preview; as secret as the token
                            ('shipscore help environment')

docs/ci.md in the package has set-ups to copy: GitHub Actions, GitLab CI,
Jenkins, CircleCI, Buildkite, Azure Pipelines, a git hook, cron.
`;
