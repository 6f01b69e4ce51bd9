import * as z from "zod";
import { OPERATOR } from "../db/accounts/actors.ts";
import { AppError } from "../base/errors.ts";
import { column, dateColumn } from "./columns.ts";
import type { CommandGroup, ListedRow } from "./command.ts";
import { defineById, defineList, defineOperation } from "./command.ts";

/** The verdicts of a deployment that is not failing. */
const FIT: readonly string[] = ["ship", "ship_with_warnings"];

const describeVerified = (result: ListedRow): string => {
  const { score, verdict } = result as { score?: number; verdict?: string | null };
  return verdict === undefined ? "" : `Score ${score}, ${verdict?.replaceAll("_", " ")}.`;
};

export const DEPLOYMENT: CommandGroup = {
  name: "deployment",
  description: "record deployments and read their verdicts",
  commands: [
    {
      words: "add <project>",
      description: "add a deployment, queue its verification and print its id",
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
      prints: { field: "id", note: describeVerified },
      isFailure: ({ verdict = "ship" }) => !FIT.includes(String(verdict)),
      async load() {
        const { findDeployment } = await import("../db/deployments/deployments.ts");
        const { NewDeployment, recordDeployment } = await import("../projects/deployments.ts");
        const { waitForVerification } = await import("../watching/awaited.ts");
        return defineOperation({
          input: NewDeployment.extend({ wait: z.boolean().default(false) }),
          async run(deps, { wait, ...input }) {
            const deployment = await recordDeployment(deps, OPERATOR, input);
            if (!wait) return deployment;
            await waitForVerification(deps, deployment.id);
            const verified = await findDeployment(deps.database.sql, deployment.id);
            const { score = null, verdict = null } = verified ?? {};
            return { ...deployment, score, verdict };
          },
        });
      },
    },
    {
      words: "list <project>",
      description: "list a project's last 50 deployments, newest first",
      options: [{ flags: "--previews", description: "list its previews instead" }],
      prints: {
        rows: [
          column("ID", "id"),
          dateColumn("DEPLOYED", "deployedAt", "minute"),
          column("STATE", "state"),
          column("SCORE", "score"),
          column("VERDICT", "verdict"),
          column("ENVIRONMENT", "environment"),
          column("REF", "ref"),
          column("COMMIT", "commit"),
          column("URL", "url"),
        ],
      },
      async load() {
        const { listDeployments } = await import("../db/deployments/deployments.ts");
        return defineList(listDeployments, "previews");
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
