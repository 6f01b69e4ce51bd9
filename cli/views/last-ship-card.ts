import type { LastShipAnswer } from "../answers.ts";
import type { Screen } from "../io.ts";
import { drawBar } from "./layout.ts";
import { describeAge, describeTime, describeVerdict, verdictStyle } from "./words.ts";

export function formatLastShipCard(
  { lastShip }: LastShipAnswer,
  now: Date,
  screen: Screen,
): string {
  if (lastShip === null) return "Nothing was shipped yet.\n";
  const { chalk, columns } = screen;
  const { score, verdict, deployedAt, ref, commit, ruleset, checkId } = lastShip;
  const facts: [string, string | null][] = [
    [
      "Shipped",
      `${describeTime(deployedAt)} (${describeAge(deployedAt, now)} ago)`.replace(
        "now ago",
        "just now",
      ),
    ],
    ["Branch", ref],
    ["Commit", commit],
    ["Ruleset", ruleset],
    ["Check", checkId],
    ["Id", lastShip.id],
  ];
  const head = [];
  if (score === null || verdict === null)
    head.push(chalk.yellow("Its verification has not ended yet"));
  else {
    const style = verdictStyle(verdict, chalk);
    const bar = drawBar(score / 100, Math.min(50, columns - 30), screen, style);
    head.push(style.bold(`${score}/100`), bar, style.bold(describeVerdict(verdict)));
  }
  return [
    lastShip.url,
    head.filter(Boolean).join("  "),
    "",
    ...facts
      .filter(([, value]) => value !== null)
      .map(([label, value]) => `${chalk.dim(label.padEnd(8))} ${value}`),
    "",
  ].join("\n");
}
