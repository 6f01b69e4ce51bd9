import { PACKAGES } from "./peers.ts";
import type { Agreement } from "./chromium.ts";
import type { Comparison, Disagreement } from "./opinion.ts";
import type { SiteResult } from "./sites.ts";
import type { TopicRow, Topic } from "./topic.ts";

const INTRODUCTION = `# Compared

Written by \`npm start --prefix tools/compare\`, which fails when a disagreement is not settled here, or when one that is has gone.

Cases are judged by us and by others. *Fit* is what a judge of headers passes; for a policy, ours is fit from 6 of 7 points
on, where no way round it is known. Where they parse the same text, judges agree if they read the same.

- MDN HTTP Observatory ${PACKAGES["@mdn/mdn-http-observatory"]}: its own analysers, on an answer made of the case's lines, joined as Node joins them.
- csp_evaluator: the enforced policies one by one; what it calls HIGH is unfit.
- tough-cookie ${PACKAGES["tough-cookie"]}: what its jar keeps of an answer, and which of that is Secure or HttpOnly.
- whatwg-mimetype ${PACKAGES["whatwg-mimetype"]}: the type and the charset of one value.
- robots-parser ${PACKAGES["robots-parser"]}: whether Googlebot may ask for a path.
- parse5 ${PACKAGES.parse5}: the mode that a doctype puts a document in; its language, its title and its metas.

No peer judges Server, Permissions-Policy, Cross-Origin-Opener-Policy or Cross-Origin-Embedder-Policy.
`;

function row(...cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
}

function code(text: string): string {
  return `\`${text.replaceAll(/(.)\1{63,}/g, "$1…$1")}\``;
}

/** A case as its row's first cell shows it. */
export function describeCase({ isNamedByInput }: Topic, [name, ...lines]: TopicRow): string {
  if (isNamedByInput) return code(name);
  return lines.length === 0 ? name : `${name}:<br>${lines.map(code).join("<br>")}`;
}

function describeDisagreement({ topic, peer, row: judged, ours, theirs }: Disagreement): string {
  const { why = "", section = "", url = "" } = topic.settled[peer]?.[judged[0]] ?? {};
  const settlement = `${why} [${section}](${url})`;
  return row(describeCase(topic, judged), ours.words, theirs.words, settlement);
}

function describeComparison({ topic, peer, disagreements }: Comparison): string {
  const count = topic.rows.length;
  const lines = [
    `## ${topic.title}: ${peer}`,
    "",
    `${count} cases, ${count - disagreements.length} agreements, ${disagreements.length} disagreements.`,
  ];
  if (disagreements.length === 0) return lines.join("\n");
  const head = [row("case", "ours", peer, "what settles it"), row("---", "---", "---", "---")];
  return [...lines, "", ...head, ...disagreements.map(describeDisagreement)].join("\n");
}

function describeTotal(comparisons: readonly Comparison[]): string {
  const topics = new Set(comparisons.map(({ topic }) => topic));
  const cases = [...topics].reduce((sum, { rows }) => sum + rows.length, 0);
  const judged = comparisons.reduce((sum, { topic }) => sum + topic.rows.length, 0);
  const settled = comparisons.reduce((sum, { disagreements }) => sum + disagreements.length, 0);
  return `${cases} cases, some beside two peers: ${judged - settled} agreements of ${judged}; ${settled} disagreements are settled.`;
}

function describeChromium(agreements: ReadonlyMap<string, Agreement>): string {
  const head = [
    row("tried", "pages", "both refuse", "both accept", "differing"),
    row("---", "---", "---", "---", "---"),
  ];
  const lines = [...agreements].map(([topic, { pages, refused, accepted, differing }]) =>
    row(topic, `${pages}`, `${refused}`, `${accepted}`, differing.map(code).join(", ") || "none"),
  );
  const pages = [...agreements.values()].reduce((sum, one) => sum + one.pages, 0);
  return `## Files that are refused: Chromium

${pages} pages (test/browser/blocked-cases.ts), each loaded in Chromium over https from loopback and judged by asset.blocked: the
elements that one of them refuses, and those that work.

${[...head, ...lines].join("\n")}
`;
}

function describeSites(sites: readonly SiteResult[]): string {
  const head = [
    row("site", "ours", "verdict", "caps", "Observatory"),
    row("---", "---", "---", "---", "---"),
  ];
  const lines = sites.map(({ name, score, verdict, caps, grade }) =>
    row(name, `${score}`, verdict, caps.join(", ") || "none", grade),
  );
  return `## Whole sites

The same sites on loopback, over https with a certificate that both trust and a redirect from http. The Observatory
grades headers, cookies and the integrity of scripts alone, from F to A+; our score is for the whole page.

${[...head, ...lines].join("\n")}
`;
}

/**
 * The page docs/compared.md: for each header the cases that are agreed on, and what settles the others; then files that
 * Chromium refuses, and whole sites.
 */
export function describeAll(
  comparisons: readonly Comparison[],
  agreements: ReadonlyMap<string, Agreement>,
  sites: readonly SiteResult[],
): string {
  return [
    INTRODUCTION,
    describeTotal(comparisons),
    ...comparisons.map(describeComparison),
    describeChromium(agreements),
    describeSites(sites),
  ]
    .join("\n\n")
    .replaceAll("\n\n\n", "\n\n");
}
