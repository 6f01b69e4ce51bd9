import * as z from "zod";
import { OPERATOR } from "../db/accounts/actors.ts";
import { column, dateColumn } from "./columns.ts";
import { defineList, defineOperation, type OperatorCommand } from "./command.ts";

export const OF_URLS: readonly OperatorCommand[] = [
  {
    words: "urls <project>",
    description: "list the URLs that a project watches, and how each is",
    prints: {
      rows: [
        column("ID", "id"),
        column("STATE", "state"),
        dateColumn("SINCE", "since", "minute"),
        ["PAUSED", ({ paused }) => (paused ? "paused" : "")],
        column("FAILS FROM", "failsFrom"),
        column("URL", "url"),
      ],
    },
    async load() {
      const { listUrlStates } = await import("../db/watching/watched-urls.ts");
      return defineList(listUrlStates);
    },
  },
  {
    words: "watch <id> <url>",
    description: "watch another URL of a project",
    prints: { field: "id" },
    async load() {
      const { watchUrl } = await import("../projects/watching.ts");
      return defineOperation({
        input: z.object({ id: z.string(), url: z.string() }),
        async run(deps, { id: projectId, url }) {
          return { id: await watchUrl(deps, OPERATOR, projectId, url), projectId, url };
        },
      });
    },
  },
  {
    words: "unwatch <id> <url>",
    description: "stop watching a URL and close its incident",
    prints: { field: "id" },
    async load() {
      const { unwatchUrl } = await import("../projects/watching.ts");
      return defineOperation({
        input: z.object({ id: z.string(), url: z.string() }),
        async run(deps, { id: projectId, url }) {
          return { id: await unwatchUrl(deps, OPERATOR, projectId, { url }), projectId, url };
        },
      });
    },
  },
  ...[true, false].map((isPaused): OperatorCommand => ({
    words: `${isPaused ? "pause" : "resume"} <project> <url>`,
    description: isPaused
      ? "stop looking at a URL for now; its incident closes, and nobody is told"
      : "look at a paused URL again",
    prints: { field: "id" },
    async load() {
      const { pauseUrl } = await import("../projects/watching.ts");
      return defineOperation({
        input: z.object({ project: z.string(), url: z.string() }),
        async run(deps, { project: projectId, url }) {
          return {
            id: await pauseUrl(deps, OPERATOR, projectId, { url }, isPaused),
            projectId,
            url,
          };
        },
      });
    },
  })),
];
