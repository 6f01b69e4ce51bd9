import type { ReceivedProjectList } from "../client/received.ts";
import type { Screen } from "../terminal/io.ts";
import { formatTable } from "../terminal/layout.ts";
import { describeAge, stateStyle } from "../terminal/words.ts";

export function formatProjectTable(
  { projects }: ReceivedProjectList,
  now: Date,
  screen: Screen,
): string {
  if (projects.length === 0) return "No project is visible to this token yet.\n";
  const rows = projects.map(({ state, stateSince, score, name, url }) => [
    state,
    stateSince === null ? "" : describeAge(stateSince, now),
    score === null ? "-" : String(score),
    name,
    url,
  ]);
  const columns = [
    { title: "STATE", style: (text: string) => stateStyle(text.trim(), screen.chalk)(text) },
    { title: "FOR", align: "right" as const },
    { title: "SCORE", align: "right" as const },
    { title: "NAME" },
    { title: "ADDRESS" },
  ];
  return formatTable(columns, rows, screen);
}
