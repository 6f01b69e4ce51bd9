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
