import * as z from "zod";
import { OPERATOR } from "../db/accounts/actors.ts";
import { AppError } from "../base/errors.ts";
import { column, dateColumn } from "./columns.ts";
import type { CommandGroup, CommandOption, Printed } from "./command.ts";
import { defineById, defineList, defineOperation } from "./command.ts";

const SECRET_STDIN: CommandOption = {
  flags: "--secret-stdin",
  description: "read the secret that the provider chose from standard input",
  reads: "secret",
};

const SHOWN_ONCE: Printed = {
  line: ["id", "url", "secret"],
  note: () =>
    "Enter the URL and the secret where the provider keeps its webhooks. The secret is not shown again.",
};

export const HOOK: CommandGroup = {
  name: "hook",
  description: "manage the hooks to which the hosts of a project report deployments",
  commands: [
    {
      words: "add <project> <provider>",
      description:
        "add a hook for github, vercel, netlify, gitlab or plain; print its id, its URL and its secret, which is shown once",
      options: [SECRET_STDIN],
      prints: SHOWN_ONCE,
      async load() {
        const { addHook, HookProviderName, HookSecret } = await import("../projects/hooks.ts");
        return defineOperation({
          input: z.object({
            project: z.string(),
            provider: HookProviderName,
            secret: HookSecret,
          }),
          run: (deps, { project, ...hook }) => addHook(deps, OPERATOR, project, hook),
        });
      },
    },
    {
      words: "list <project>",
      description: "list a project's hooks",
      prints: { rows: [column("ID", "id"), column("PROVIDER", "provider")] },
      async load() {
        const { listHooks } = await import("../db/deployments/hooks.ts");
        return defineList(listHooks);
      },
    },
    {
      words: "show <id>",
      description: "show a hook and the project that it belongs to",
      prints: {
        rows: [column("ID", "id"), column("PROVIDER", "provider"), column("PROJECT", "projectId")],
      },
      async load() {
        const { findHook } = await import("../db/deployments/hooks.ts");
        return defineById(async ({ database: { sql } }, id) => {
          const hook = await findHook(sql, id);
          if (hook === undefined) throw new AppError("hook_not_found", { id });
          return hook;
        });
      },
    },
    {
      words: "rotate <id>",
      description: "give a hook a new secret and print it; the one before it is good for 24 hours",
      options: [SECRET_STDIN],
      prints: SHOWN_ONCE,
      async load() {
        const { HookSecret, rotateHook } = await import("../projects/hooks.ts");
        return defineOperation({
          input: z.object({ id: z.string(), secret: HookSecret }),
          run: (deps, { id, secret }) => rotateHook(deps, OPERATOR, id, secret),
        });
      },
    },
    {
      words: "remove <id>",
      description: "remove a hook; what is sent to it is refused from then on",
      prints: { field: "id" },
      async load() {
        const { removeHook } = await import("../projects/hooks.ts");
        return defineById(async (deps, id) => {
          await removeHook(deps, OPERATOR, id);
          return { id };
        });
      },
    },
    {
      words: "deliveries <id>",
      description: "list the last 50 events that a hook received, and what came of each",
      prints: {
        rows: [
          dateColumn("AT", "at", "minute"),
          column("EVENT", "event"),
          column("OUTCOME", "outcome"),
        ],
      },
      async load() {
        const { listDeliveries } = await import("../db/deployments/hook-deliveries.ts");
        const { findHook } = await import("../db/deployments/hooks.ts");
        return defineById(async ({ database: { sql } }, id) => {
          if ((await findHook(sql, id)) === undefined) throw new AppError("hook_not_found", { id });
          return listDeliveries(sql, id);
        });
      },
    },
  ],
};
