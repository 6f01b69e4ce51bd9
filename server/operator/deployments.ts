import * as z from "zod";
import { OPERATOR } from "../db/accounts/actors.ts";
import { AppError } from "../base/errors.ts";
import { column } from "./columns.ts";
import { defineById, defineOperation, type CommandGroup } from "./command.ts";

export const DEPLOYMENT: CommandGroup = {
  name: "deployment",
  description: "record deployments and read their verdicts",
  commands: [
    {
      words: "record <project>",
      description: "record a deployment, queue its verification and print its id",
      options: [
        {
          flags: "--url <url>",
          description: "the https address of the deployment",
          isRequired: true,
        },
        { flags: "--commit <sha>", description: "the commit deployed" },
        { flags: "--ref <ref>", description: "the branch or tag deployed" },
        {
          flags: "--environment <name>",
          description: "its environment",
          default: "production",
        },
        { flags: "--wait", description: "wait until its verification has ended" },
      ],
      inputOf: ({ project, ...rest }) => ({ ...rest, projectId: project }),
      prints: { field: "id" },
      async load() {
        const { NewDeployment, recordDeployment } = await import("../projects/deployments.ts");
        const { waitForVerification } = await import("../watching/deployments.ts");
        return defineOperation({
          input: NewDeployment.extend({ wait: z.boolean().default(false) }),
          async run(deps, { wait, ...input }) {
            const deployment = await recordDeployment(deps, OPERATOR, input);
            if (wait) await waitForVerification(deps, deployment.id);
            return deployment;
          },
        });
      },
    },
    {
      words: "show <id>",
      description: "show a deployment's verdict, or why it is not verified",
      prints: {
        rows: [
          column("STATE", "state"),
          column("SCORE", "score"),
          column("VERDICT", "verdict"),
          column("TRIES", "tries"),
          column("URL", "url"),
          column("REASON", "reason"),
        ],
      },
      async load() {
        const { findDeployment } = await import("../db/deployments/deployments.ts");
        return defineById(async ({ database: { sql } }, id) => {
          const deployment = await findDeployment(sql, id);
          if (deployment === undefined) throw new AppError("deployment_not_found", { id });
          const { failure, ...rest } = deployment;
          return { ...rest, reason: failure?.en ?? null };
        });
      },
    },
  ],
};
