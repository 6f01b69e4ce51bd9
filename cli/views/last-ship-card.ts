import type { ReceivedLastShip, ReceivedShip } from "../client/received.ts";
import type { Screen } from "../terminal/io.ts";
import { drawBar } from "../terminal/layout.ts";
import { describeTime, describeVerdict } from "../../shared/report/words.ts";
import { describeAge, verdictStyle } from "../terminal/words.ts";

function formatScore({ score, verdict }: ReceivedShip, screen: Screen): string {
  if (score === null || verdict === null)
    return screen.chalk.yellow("Its verification has not ended yet.");
  const style = verdictStyle(verdict, screen.chalk);
  const bar = drawBar(score / 100, Math.min(50, screen.columns - 30), screen, style);
  const parts = [style.bold(`${score}/100`), bar, style.bold(describeVerdict(verdict))];
  return parts.filter((part) => part !== "").join("  ");
}

export function formatLastShipCard(
  { lastShip }: ReceivedLastShip,
  now: Date,
  screen: Screen,
): string {
  if (lastShip === null) return "Nothing was shipped yet.\n";
  const { id, url, deployedAt, ref, commit, ruleset, checkId } = lastShip;
  const shipped = `${describeTime(deployedAt)}, ${describeAge(deployedAt, now)} ago`;
  const facts: readonly (readonly [string, string | null])[] = [
    ["Shipped", shipped],
    ["Ref", ref],
    ["Commit", commit],
    ["Ruleset", ruleset],
    ["Check", checkId],
    ["Id", id],
  ];
  const lines = facts
    .filter(([, value]) => value !== null)
    .map(([label, value]) => `${screen.chalk.dim(label.padEnd(8))} ${value}`);
  return `${[url, formatScore(lastShip, screen), "", ...lines].join("\n")}\n`;
}
