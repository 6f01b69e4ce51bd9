export const ENVIRONMENT = `Environment

  SHIPSCORE_TOKEN   the account's token, psk_ and 40 characters. It is read from
                    here alone: a command line can be read by other processes,
                    and stays in the shell's history
  SHIPSCORE_URL     the server's address; --base-url goes before it
                    (default http://127.0.0.1:7070). Plain http is refused to
                    any other machine
  SHIPSCORE_TARGET_HEADERS
                    a JSON object of the headers that open a protected preview
                    to 'check': x-vercel-protection-bypass, cf-access-client-id,
                    cf-access-client-secret
  LC_ALL, LC_MESSAGES, LANG
                    findings are French where the first one set begins with fr,
                    else English. The server's errors are always French
  HTTPS_PROXY, NO_PROXY
                    the way to the server; a server on this machine is always
                    reached directly
  NODE_EXTRA_CA_CERTS
                    a file of further certificate authorities to trust
  SHIPSCORE_FORCE_TTY
                    a number of columns: the page for people also in a pipe,
                    for the logs of a CI job
  GITHUB_ACTIONS    where it is true, 'check' annotates what costs points, and
                    writes to GITHUB_STEP_SUMMARY and GITHUB_OUTPUT
  NO_COLOR, FORCE_COLOR, TERM
                    no colour, colour all the same, and with TERM=dumb no
                    drawing characters either

Example

  read -rs SHIPSCORE_TOKEN && export SHIPSCORE_TOKEN
  export SHIPSCORE_URL=https://shipscore.example.com
`;
