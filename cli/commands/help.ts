import { Argument, type Command } from "commander";
import type { Choose } from "../terminal/command.ts";
import { EXIT } from "../terminal/exit-codes.ts";
import { CI, ENVIRONMENT, formatExitCodes } from "./help-topics.ts";

type Render = (isWhole: boolean) => string | Promise<string>;

const TOPICS: Readonly<Record<string, Render>> = {
  "exit-codes": formatExitCodes,
  environment: () => ENVIRONMENT,
  output: async (isWhole) => (await import("./help-topics.ts")).formatOutput(isWhole),
  ci: () => CI,
};

export function declareHelp(command: Command, choose: Choose, isWhole: boolean): void {
  const commands =
    command.parent
      ?.createHelp()
      .visibleCommands(command.parent)
      .map((each) => each.name()) ?? [];
  const topic = new Argument("[topic]", "a command, or one of the topics below");
  command
    .addArgument(topic.choices([...commands, ...Object.keys(TOPICS)]))
    .action((name?: string) => {
      const render = name === undefined ? undefined : TOPICS[name];
      if (render === undefined) command.parent?.help();
      else choose({}, async ({ io }) => (await io.print(await render(isWhole)), EXIT.done));
    });
}
