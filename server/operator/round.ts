import * as z from "zod";
import { column } from "./columns.ts";
import { defineOperation, type OperatorCommand } from "./command.ts";

export const ROUND: OperatorCommand = {
  words: "round",
  description: "look at every watched URL and verify every queued deployment, now",
  prints: {
    rows: [
      column("OUTCOME", "outcome"),
      column("SCORE", "score"),
      column("KIND", "kind"),
      column("URL", "url"),
      column("REASON", "reason"),
    ],
  },
  async load() {
    const { runRound } = await import("../watching/round.ts");
    return defineOperation({ input: z.object({}), run: runRound });
  },
};
