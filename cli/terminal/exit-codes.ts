/** Codes 40 to 53 are the first and the last digit of the HTTP status; the others are the command's own. */
export const EXIT = {
  done: 0,
  unmet: 1,
  usage: 2,
  noAnswer: 3,
  inconclusive: 4,
  urlRefused: 40,
  tokenRefused: 41,
  projectNotFound: 44,
  quotaUsedUp: 49,
  serverFailed: 50,
  serverUnavailable: 53,
  bug: 70,
  notWritten: 74,
  interrupted: 130,
  terminated: 143,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

export const EXIT_MEANINGS: Readonly<Record<ExitCode, string>> = {
  0: "done, and the gate (if any) is met",
  1: "the gate is not met, or --exit-code found an incident",
  2: "usage error: unknown command, flag or id, bad value, unreadable file",
  3: "no usable response: unreachable, TLS, timeout, or another service",
  4: "the verdict is inconclusive, and a gate was asked for",
  40: "400: the URL was refused",
  41: "401: the token was refused, or SHIPSCORE_TOKEN is unset or malformed",
  44: "404: project not found, or not visible to this token",
  49: "429: the month's quota is used up, or too many reads at once",
  50: "500: the server failed",
  53: "503: the server is unavailable for now",
  70: "a bug in this command",
  74: "the result or a report can't be written",
  130: "interrupted (Ctrl-C)",
  143: "terminated (SIGTERM)",
};
