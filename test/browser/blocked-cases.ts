import type { RefusalCase } from "../harness/refusals.ts";

type Headers = Readonly<Record<string, string>>;
type Table = Readonly<Record<string, readonly string[]>>;

const csp = (policy: string): Headers => ({ "content-security-policy": policy });

/** The same elements under each policy. */
function under(
  topic: string,
  policies: readonly string[],
  lines: readonly string[],
): RefusalCase[] {
  return policies.map((policy) => ({ topic, name: policy, headers: csp(policy), lines }));
}

/** Pages by name, each with its elements. */
function pages(topic: string, table: Table): RefusalCase[] {
  return Object.entries(table).map(([name, lines]) => ({ topic, name, headers: {}, lines }));
}

const SCRIPTS = [
  '<script src="/any/own.js"></script>',
  '<script src="/any/deep.js" defer></script>',
  '<script src="{cdn}/any/cdn.js"></script>',
  '<script src="{net}/any/net.js" async></script>',
  '<script src="{static}/any/static.js"></script>',
  '<script type="module" src="{net}/any/module.js"></script>',
  '<script src="/any/nonced.js" nonce="abc123"></script>',
  '<script src="{net}/any/proven.js" crossorigin integrity="{sha256:js}"></script>',
  "<script>{script}</script>",
  '<script nonce="abc123">{script}</script>',
  '<script type="module">{module}</script>',
];
const SCRIPT_POLICIES = [
  "script-src 'none'",
  "script-src",
  "script-src 'self'",
  "script-src 'SELF'",
  "script-src self",
  "default-src 'self'",
  "default-src 'none'; script-src {net}",
  "script-src-elem {net}; script-src 'self'; default-src 'none'",
  "script-src-attr 'none'",
  "script-src *",
  "script-src https:",
  "script-src http:",
  "script-src https://*:{port}",
  "script-src 'unsafe-inline'",
  "script-src 'self' 'unsafe-inline'",
  "script-src 'unsafe-inline' 'nonce-abc123'",
  "script-src 'nonce-abc123'",
  "script-src 'nonce-ABC123'",
  "Script-Src 'NONCE-abc123' 'Unsafe-Inline'",
  "script-src 'nonce-other' 'self'",
  "script-src 'nonce-abc123' 'strict-dynamic'",
  "script-src 'nonce-abc123' 'strict-dynamic' 'unsafe-inline' https:",
  "script-src 'strict-dynamic' 'self'",
  "script-src 'strict-dynamic'",
  "script-src '{sha256:script}'",
  "script-src '{sha384:script}'",
  "script-src '{sha512:script}' 'unsafe-inline'",
  "script-src 'sha256-AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA='",
  "script-src '{sha256:js}' 'strict-dynamic'",
  "script-src '{sha256:script}' '{sha256:module}' 'self'",
  "script-src example.net:{port}",
  "script-src example.net",
  "script-src example.net:*",
  "script-src *.example.net:{port}",
  "script-src *.example.com:{port} 'self'",
  "script-src {own}/any/ 'nonce-abc123'",
  "script-src {own}/any/own.js",
  "script-src {own}/any",
  "script-src {own}/ANY/own.js",
  "script-src {own}/%61ny/own.js",
  "script-src {own}/any/own.js?version=1",
  "script-src http://example.net:{port}",
  "script-src wss://example.net:{port}",
  "script-src EXAMPLE.NET:{port}",
  "script-src 'self'; script-src *",
  "script-src 'self', script-src {net}",
  "script-src 'self' {net}, script-src {net} {cdn}",
  "img-src 'none'",
  "script-src 'none' 'self'",
  "script-src 'none' ; ; object-src 'none'",
  "sandbox",
  "sandbox allow-scripts",
  "sandbox allow-forms allow-same-origin",
  "sandbox allow-scripts allow-same-origin; script-src 'self'",
];

const STYLES = [
  '<link rel="stylesheet" href="/any/own.css">',
  '<link rel="stylesheet" href="{cdn}/any/cdn.css">',
  '<link rel="stylesheet" href="{net}/any/net.css">',
  '<link rel="stylesheet" href="/any/nonced.css" nonce="abc123">',
  "<style>{style}</style>",
  '<style nonce="abc123">{style}</style>',
];
/** Style sheets that a handler applies once they are loaded. */
const HANDLED = [
  '<link rel="preload" as="style" href="/any/preloaded.css" onload="{handler}">',
  '<link rel="stylesheet" media="print" href="/any/printed.css" onload="{handler}">',
];
const HANDLER_POLICIES = [
  "style-src 'self'",
  "script-src 'self'",
  "script-src 'unsafe-inline'",
  "script-src 'nonce-abc123' 'unsafe-inline'",
  "script-src '{sha256:handler}'",
  "script-src 'unsafe-hashes' '{sha256:handler}'",
  "script-src-attr 'unsafe-inline'; script-src 'none'",
  "script-src-elem 'unsafe-inline'; script-src 'self'",
];
const STYLE_POLICIES = [
  "style-src 'none'",
  "style-src 'self'",
  "default-src 'self'",
  "default-src 'none'; script-src 'self'",
  "style-src-elem {net}; style-src 'self'",
  "style-src-attr 'none'; default-src *",
  "style-src 'unsafe-inline'",
  "style-src 'self' 'unsafe-inline' 'nonce-abc123'",
  "style-src 'nonce-abc123'",
  "style-src '{sha256:style}'",
  "style-src 'unsafe-inline' '{sha256:style}'",
  "style-src 'strict-dynamic' 'unsafe-inline'",
  "style-src {net}/any/ {cdn}",
  "style-src https: 'unsafe-inline'",
];

const FILES = [
  '<img src="/any/own.png" alt="Tea">',
  '<img src="{net}/any/net.png" alt="Tea">',
  '<img src="data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==" alt="Tea">',
  '<iframe src="/any/own.html"></iframe>',
  '<iframe src="{net}/any/net.html"></iframe>',
  '<iframe srcdoc="<p>Tea"></iframe>',
  '<object data="/any/object.png"></object>',
  '<embed src="/any/embed.png">',
  '<video src="/any/own.mp4"></video>',
  '<audio src="{net}/any/net.mp4" preload="auto"></audio>',
  '<link rel="preload" as="font" href="/any/own.woff2" crossorigin>',
];
const FILE_POLICIES = [
  "default-src 'self'",
  "default-src 'none'",
  "img-src 'self'",
  "img-src data:",
  "img-src *",
  "img-src {net}; default-src 'self'",
  "frame-src {net}",
  "frame-src 'none'",
  "child-src 'self'",
  "child-src 'none'; frame-src 'self'",
  "object-src 'none'",
  "media-src {net}",
  "media-src 'none'; img-src 'self' data:",
  "font-src 'none'",
  "font-src 'self'; default-src https: data:",
];

const FORMS = ['<form method="post" action="/any/sent.html"><button>Send</button></form>'];
const AWAY = ['<form action="{net}/any/sent.html"><button>Send</button></form>'];
const FORM_POLICIES = [
  "form-action 'none'",
  "form-action 'self'",
  "form-action {net}",
  "default-src 'none'; script-src 'self'",
  "form-action {net}/other/",
  "form-action https:",
  "sandbox allow-scripts",
  "sandbox allow-forms",
];

const BASES = ['<base href="{net}/any/">', '<script src="relative.js"></script>'];
const BASE_POLICIES = [
  "base-uri 'none'",
  "base-uri 'self'",
  "base-uri {net}",
  "default-src 'none'",
];

const meta = (policy: string): string =>
  `<meta http-equiv="Content-Security-Policy" content="${policy}">`;
const OWN_SCRIPT = '<script src="/any/own.js"></script>';
const METAS = pages("policies in metas", {
  "a meta before a script": [meta("script-src 'none'"), OWN_SCRIPT],
  "a meta after a script": [
    OWN_SCRIPT,
    meta("script-src 'none'"),
    '<script src="/any/later.js"></script>',
  ],
  "a meta in the body": ["<p>Tea", meta("script-src 'none'"), OWN_SCRIPT],
  "a sandbox in a meta": [meta("sandbox"), OWN_SCRIPT],
  "two metas": [meta("script-src 'self'"), meta("script-src {net}"), OWN_SCRIPT],
  "a meta of another name": [
    '<meta name="Content-Security-Policy" content="script-src \'none\'">',
    OWN_SCRIPT,
  ],
  "a padded meta": [
    '<meta http-equiv=" Content-Security-Policy" content="script-src \'none\'">',
    OWN_SCRIPT,
  ],
  "a hash in a meta": [
    meta("script-src '{sha256:script}'"),
    "<script>{script}</script>",
    OWN_SCRIPT,
  ],
  "a meta in noscript": [`<noscript>${meta("script-src 'none'")}</noscript>`, OWN_SCRIPT],
  "a style before a meta": [STYLES[0] ?? "", meta("style-src 'none'"), STYLES[4] ?? ""],
});

const FOREIGN = (folder: string): string[] => [
  `<script src="{net}/${folder}/classic.js"></script>`,
  `<script type="module" src="{net}/${folder}/module.js"></script>`,
  `<script src="{cdn}/${folder}/cors.js" crossorigin></script>`,
  `<script src="{cdn}/${folder}/trusted.js" crossorigin="use-credentials"></script>`,
  `<link rel="stylesheet" href="{net}/${folder}/plain.css">`,
  `<link rel="stylesheet" href="{cdn}/${folder}/cors.css" crossorigin="anonymous">`,
  `<img src="{net}/${folder}/plain.png" alt="Tea">`,
  `<img src="{cdn}/${folder}/cors.png" crossorigin alt="Tea">`,
  `<script src="/${folder}/own.js" crossorigin></script>`,
];
const FOLDERS =
  "plain any own trusted stranger twice same-origin same-site cross-origin garbled".split(" ");
const EMBEDDERS: Readonly<Record<string, Headers>> = {
  "no embedder policy": {},
  "require-corp": { "cross-origin-embedder-policy": "require-corp" },
  credentialless: { "cross-origin-embedder-policy": "credentialless" },
  "require-corp in a list": { "cross-origin-embedder-policy": "require-corp, require-corp" },
  "require-corp with a parameter": {
    "cross-origin-embedder-policy": 'require-corp; report-to="x"',
  },
  "a sandbox": csp("sandbox allow-scripts"),
};
const ORIGINS = Object.entries(EMBEDDERS).flatMap(([name, headers]) =>
  FOLDERS.map((folder) => ({
    topic: "files of other origins",
    name: `${name}, files: ${folder}`,
    headers,
    lines: FOREIGN(folder),
  })),
);

const ZEROS = { sha256: `sha256-${"A".repeat(43)}=`, sha384: `sha384-${"A".repeat(64)}` };
const INTEGRITY = pages("integrity", {
  "without crossorigin": [
    '<script src="{net}/any/a.js" integrity="sha256-AAAA"></script>',
    '<script src="{net}/any/b.js" integrity="garbage"></script>',
    '<script src="{net}/any/c.js" integrity=""></script>',
    '<link rel="stylesheet" href="{net}/any/d.css" integrity="sha384-AAAA">',
  ],
  "of the page's own files": [
    '<script src="/any/a.js" integrity="{sha256:js}"></script>',
    `<script src="/any/b.js" integrity="${ZEROS.sha256}"></script>`,
    `<script src="/any/c.js" integrity="${ZEROS.sha256} {sha256:js}"></script>`,
    `<script src="/any/d.js" integrity="{sha256:js} ${ZEROS.sha384}"></script>`,
    `<script src="/any/e.js" integrity="${ZEROS.sha256} {sha384:js}"></script>`,
    `<link rel="stylesheet" href="/any/f.css" integrity="${ZEROS.sha384}">`,
  ],
  "of files of other origins": [
    '<script src="{net}/any/a.js" crossorigin integrity="{sha512:js}"></script>',
    `<script src="{net}/any/b.js" crossorigin integrity="${ZEROS.sha384}"></script>`,
    `<script src="{net}/plain/c.js" crossorigin integrity="{sha256:js}"></script>`,
    `<link rel="stylesheet" href="{cdn}/any/d.css" crossorigin integrity="${ZEROS.sha256}">`,
  ],
});

const PROVEN_SCRIPTS = [
  '<script src="/any/a.js"></script>',
  '<script src="/any/b.js" integrity="{sha256:js}"></script>',
  '<script src="/any/c.js" crossorigin integrity="{sha256:js}"></script>',
  '<script src="/any/d.js" crossorigin integrity="garbage"></script>',
  '<script src="{net}/any/e.js"></script>',
  '<script src="{net}/any/f.js" crossorigin integrity="{sha384:js}"></script>',
  "<script>{script}</script>",
];
const INTEGRITY_POLICIES = [
  "blocked-destinations=(script)",
  "blocked-destinations=(script image), sources=(inline), endpoints=(tea), x=1",
  "blocked-destinations=(script), sources=()",
  'blocked-destinations=("script")',
  "blocked-destinations=script",
  "blocked-destinations=(script), blocked-destinations=(image)",
].flatMap((policy) =>
  ["integrity-policy", "integrity-policy-report-only"].map((name) => ({
    topic: "integrity policies",
    name: `${name}: ${policy}`,
    headers: { [name]: policy },
    lines: PROVEN_SCRIPTS,
  })),
);

const OTHERS: RefusalCase[] = [
  {
    topic: "no policy",
    name: "report-only",
    headers: { "content-security-policy-report-only": "default-src 'none'" },
    lines: [...SCRIPTS, ...STYLES],
  },
  {
    topic: "no policy",
    name: "none",
    headers: {},
    lines: [...SCRIPTS.slice(0, 4), ...STYLES, ...FILES],
  },
  ...under(
    "redirects",
    [
      "script-src {own}",
      "script-src {own} {net}",
      "script-src {own} {net}/other/",
      "script-src 'self' https:",
    ],
    ['<script src="/moved/away.js"></script>', '<img src="/moved/away.png" alt="Tea">'],
  ),
  ...under(
    "what is no file",
    ["script-src 'self'", "default-src 'self'"],
    [
      '<script type="application/json" src="{net}/any/data.js"></script>',
      "<template><script>{script}</script></template>",
      '<noscript><link rel="stylesheet" href="{net}/any/no.css"></noscript>',
      '<iframe srcdoc="<p>Tea"></iframe>',
      '<iframe src="about:blank"></iframe>',
    ],
  ),
];

/** Pages of which a browser refuses some files, or none. */
export const BLOCKED_CASES: readonly RefusalCase[] = [
  ...under("scripts", SCRIPT_POLICIES, SCRIPTS),
  ...under("style sheets", STYLE_POLICIES, STYLES),
  ...under("handlers of style sheets", HANDLER_POLICIES, HANDLED),
  ...under("images, frames, plugins, media and fonts", FILE_POLICIES, FILES),
  ...under("forms", FORM_POLICIES, FORMS),
  ...under("forms", FORM_POLICIES, AWAY),
  ...under("base elements", BASE_POLICIES, BASES),
  ...METAS,
  ...ORIGINS,
  ...INTEGRITY,
  ...INTEGRITY_POLICIES,
  ...OTHERS,
];
