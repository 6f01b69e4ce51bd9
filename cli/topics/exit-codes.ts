import { EXIT, EXIT_MEANINGS, type ExitCode } from "../terminal/exit-codes.ts";

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
