export interface Redirection {
  name: string;
  location: string | Buffer;
  /** Why the chain stopped. */
  stop: Record<string, unknown>;
}

const refused = (refusal: string) => ({ reason: "refused", refusal });

/** Where a page may lead; `PORT` is its own. */
export const REDIRECTIONS: Redirection[] = [
  { name: "itself", location: "/", stop: { reason: "loop" } },
  { name: "itself, with a fragment", location: "/#again", stop: { reason: "loop" } },
  {
    name: "itself, by its whole name",
    location: "https://127.0.0.1:PORT/",
    stop: { reason: "loop" },
  },
  { name: "ever deeper paths", location: "DEEPER", stop: { reason: "too_many" } },
  { name: "10,000 characters", location: `/${"a".repeat(10_000)}`, stop: refused("too_long") },
  {
    name: "10,000 characters of queries",
    location: `/?${"a=b&".repeat(2500)}`,
    stop: refused("too_long"),
  },
  { name: "60,000 characters", location: "/".repeat(60_000), stop: refused("too_long") },
  {
    name: "10,000 at signs",
    location: `https://${"@".repeat(1900)}/`,
    stop: refused("unparseable"),
  },
  { name: "a private address", location: "https://10.0.0.1/", stop: refused("private") },
  {
    name: "a cloud's metadata",
    location: "https://169.254.169.254/latest/",
    stop: refused("private"),
  },
  { name: "a mapped loopback", location: "https://[::ffff:7f00:1]/", stop: refused("private") },
  { name: "a private address in octal", location: "https://012.0.0.01/", stop: refused("private") },
  {
    name: "a private address as one number",
    location: "https://167772161/",
    stop: refused("private"),
  },
  { name: "a private name", location: "https://printer.local/", stop: refused("private") },
  { name: "a single label", location: "https://intranet/", stop: refused("private") },
  {
    name: "a public name with a private address",
    location: "https://inside.example.com/",
    stop: refused("private"),
  },
  {
    name: "a public name with a public and a private address",
    location: "https://mixed.example.com/",
    stop: refused("private"),
  },
  {
    name: "a name that does not exist",
    location: "https://nowhere.example.com/",
    stop: refused("not_found"),
  },
  {
    name: "a port that is not the web's",
    location: "https://93.184.215.14:25/",
    stop: refused("port"),
  },
  {
    name: "a name and a password",
    location: "https://a:b@127.0.0.1:PORT/",
    stop: refused("userinfo"),
  },
  { name: "plain http", location: "http://127.0.0.1/", stop: { reason: "downgrade" } },
  { name: "javascript", location: "javascript:alert(1)", stop: refused("not_https") },
  {
    name: "data",
    location: "data:text/html,<script>alert(1)</script>",
    stop: refused("not_https"),
  },
  { name: "a file", location: "file:///etc/passwd", stop: refused("not_https") },
  { name: "FTP", location: "ftp://127.0.0.1/", stop: refused("not_https") },
  { name: "gopher", location: "gopher://127.0.0.1:6379/_INFO", stop: refused("not_https") },
  { name: "a blob", location: "blob:https://127.0.0.1/1", stop: refused("not_https") },
  { name: "a backslash", location: String.raw`\\10.0.0.1\a`, stop: refused("characters") },
  { name: "a bracket that stays open", location: "https://[::1/", stop: refused("unparseable") },
  {
    name: "bytes that are no text",
    location: Buffer.from([0xff, 0xfe, 0x80, 0xe9]),
    stop: refused("characters"),
  },
  { name: "nothing", location: "", stop: { reason: "loop" } },
];
