export interface Redirection {
  name: string;
  location: string | Buffer;
  /** Why the chain stopped. */
  stop: Record<string, unknown>;
}

const refused = (refusal: string) => ({ reason: "refused", refusal });

const redirections = (
  stop: Redirection["stop"],
  locations: Record<string, Redirection["location"]>,
): Redirection[] => Object.entries(locations).map(([name, location]) => ({ name, location, stop }));

/** Where a page may lead; `PORT` is its own. */
export const REDIRECTIONS: Redirection[] = [
  ...redirections(
    { reason: "loop" },
    {
      itself: "/",
      "itself, with a fragment": "/#again",
      "itself, by its whole name": "https://127.0.0.1:PORT/",
      "bytes that are no text": Buffer.from([0xff, 0xfe, 0x80, 0xe9]),
    },
  ),
  ...redirections({ reason: "too_many" }, { "ever deeper paths": "DEEPER" }),
  ...redirections(refused("too_long"), {
    "10,000 characters": `/${"a".repeat(10_000)}`,
    "10,000 characters of queries": `/?${"a=b&".repeat(2500)}`,
    "60,000 characters": "/".repeat(60_000),
  }),
  ...redirections(refused("unparseable"), {
    "10,000 at signs": `https://${"@".repeat(1900)}/`,
    "a bracket that stays open": "https://[::1/",
    "bytes that are no text in a host": Buffer.from("https://caf\xe9.example.com/", "latin1"),
  }),
  ...redirections(refused("private"), {
    "a private address": "https://10.0.0.1/",
    "a private address after backslashes": String.raw`\\10.0.0.1\a`,
    "a cloud's metadata": "https://169.254.169.254/latest/",
    "a mapped loopback": "https://[::ffff:7f00:1]/",
    "a private address in octal": "https://012.0.0.01/",
    "a private address as one number": "https://167772161/",
    "a private name": "https://printer.local/",
    "a single label": "https://intranet/",
    "a public name with a private address": "https://inside.example.com/",
    "a public name with a public and a private address": "https://mixed.example.com/",
  }),
  ...redirections(refused("not_found"), {
    "a name that does not exist": "https://nowhere.example.com/",
  }),
  ...redirections(refused("port"), { "a port that is not the web's": "https://93.184.215.14:25/" }),
  ...redirections(refused("userinfo"), { "a name and a password": "https://a:b@127.0.0.1:PORT/" }),
  ...redirections({ reason: "downgrade" }, { "plain http": "http://127.0.0.1/" }),
  ...redirections(refused("not_https"), {
    javascript: "javascript:alert(1)",
    data: "data:text/html,<script>alert(1)</script>",
    "a file": "file:///etc/passwd",
    FTP: "ftp://127.0.0.1/",
    gopher: "gopher://127.0.0.1:6379/_INFO",
    "a blob": "blob:https://127.0.0.1/1",
  }),
];
