import { OBSERVATORY_VERSION } from "./observatory.ts";
import type { Comparison, Disagreement } from "./opinion.ts";
import type { SiteResult } from "./sites.ts";

const INTRODUCTION = `# Compared

Written by \`npm run compare\`, which fails when a disagreement is not settled here, or when one that is has gone.

Each header's cases are judged by us and by others: MDN HTTP Observatory ${OBSERVATORY_VERSION} (its own analysers, on an answer made of
the case's lines, joined as Node joins them) and csp_evaluator (the enforced policies one by one; what it calls HIGH is
unfit). *Fit* is what a judge passes; for a policy, ours is fit from 6 of 7 points on, where no way round it is known.
No peer judges Server, Permissions-Policy, Cross-Origin-Opener-Policy or Cross-Origin-Embedder-Policy.
`;

function row(...cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
}

function describeDisagreement({ topic, peer, row: [name, ...lines], ours, theirs }: Disagreement) {
  const { why = "", section = "", url = "" } = topic.settled[peer]?.[name] ?? {};
  const sent = lines.map((line) => `\`${line}\``).join("<br>");
  const input = sent === "" ? name : `${name}:<br>${sent}`;
  return row(input, ours.words, theirs.words, `${why} [${section}](${url})`);
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

/** The page docs/compared.md: for each header what is agreed on, and what settles the rest; then whole sites. */
export function describeAll(
  comparisons: readonly Comparison[],
  sites: readonly SiteResult[],
): string {
  return [INTRODUCTION, ...comparisons.map(describeComparison), describeSites(sites)]
    .join("\n\n")
    .replaceAll("\n\n\n", "\n\n");
}
