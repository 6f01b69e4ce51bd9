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
