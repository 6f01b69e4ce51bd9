import * as z from "zod";
import { OPERATOR } from "../db/accounts/actors.ts";
import { column, dateColumn } from "./columns.ts";
import type { CommandGroup, CommandOption, Printed } from "./command.ts";
import { defineById, defineList, defineOperation } from "./command.ts";

const SECRET_STDIN: CommandOption = {
  flags: "--secret-stdin",
  description: "read the secret that the provider chose from standard input",
  reads: "secret",
};

const ANSWER_OPTIONS: readonly CommandOption[] = [
  {
    flags: "--token-stdin",
    description: "read a token that may write statuses from standard input",
    reads: "token",
  },
  { flags: "--app <id>", description: "the id of a GitHub app, in place of a token" },
  { flags: "--installation <id>", description: "the id of the app's installation" },
  {
    flags: "--key-stdin",
    description: "read the app's private key, in PEM, from standard input",
    reads: "key",
  },
  {
    flags: "--api <url>",
    description:
      "the API of GitHub Enterprise, https://HOST/api/v3, or a GitLab's, https://HOST/api/v4",
  },
  {
    flags: "--context <name>",
    description: "the context of previews whose environment has another name each time",
  },
  {
    flags: "--comment",
    description: "keep the report in one comment on the pull request too",
  },
  { flags: "--off", description: "answer nothing any more, and forget the credential" },
];

const SHOWN_ONCE: Printed = {
  field: ["id", "url", "secret"],
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
      prints: {
        rows: [
          column("ID", "id"),
          column("PROVIDER", "provider"),
          column("REPOSITORY", "repository"),
          column("ANSWERS", "answers"),
        ],
      },
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
        const { getHook } = await import("../projects/hooks.ts");
        return defineById(getHook);
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
      words: "answer <hook> [repository]",
      description:
        "answer what a hook of github or gitlab reports with statuses of its commits, once the credential may write them",
      options: ANSWER_OPTIONS,
      prints: { field: "said" },
      async load() {
        const { answerHook, stopAnswers, TypedAnswer } = await import("../statuses/answers.ts");
        return defineOperation({
          input: TypedAnswer,
          run: (deps, { hook, off, repository = "", ...wanted }) =>
            off
              ? stopAnswers(deps, OPERATOR, hook)
              : answerHook(deps, OPERATOR, hook, { ...wanted, repository }),
        });
      },
    },
    {
      words: "statuses <hook>",
      description:
        "list the last 50 statuses of commits that a hook came to, and what came of each",
      inputOf: ({ hook }) => ({ id: hook }),
      prints: {
        rows: [
          column("ID", "id"),
          dateColumn("AT", "at", "minute"),
          ["COMMIT", ({ commit }) => String(commit), ({ commit }) => String(commit).slice(0, 8)],
          column("CONTEXT", "context"),
          column("STATE", "state"),
          column("SENT", "sent"),
          column("DESCRIPTION", "description"),
          column("ERROR", "error"),
        ],
      },
      async load() {
        const { listStatuses } = await import("../db/deployments/statuses.ts");
        const { getHook } = await import("../projects/hooks.ts");
        return defineById(async (deps, id) => {
          await getHook(deps, id);
          return listStatuses(deps.database.sql, id);
        });
      },
    },
    {
      words: "remove <id>",
      description: "remove a hook; what is sent to it is refused from then on",
      prints: { field: "id" },
      async load() {
        const { removeHook } = await import("../projects/hooks.ts");
        return defineById((deps, id) => removeHook(deps, OPERATOR, id));
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
        const { getHook } = await import("../projects/hooks.ts");
        return defineById(async (deps, id) => {
          await getHook(deps, id);
          return listDeliveries(deps.database.sql, id);
        });
      },
    },
  ],
};
