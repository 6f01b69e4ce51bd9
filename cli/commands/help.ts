import { Argument, type Command } from "commander";
import type { Language } from "../../shared/language.ts";
import { say } from "../../shared/report/words.ts";
import type { DeclareOptions } from "../terminal/command.ts";
import { EXIT } from "../terminal/exit-codes.ts";
import { formatCi, formatEnvironment, formatExitCodes, formatOutput } from "./help-topics.ts";

type Render = (language: Language, isWhole: boolean) => string;

const TOPICS: Readonly<Record<string, Render>> = {
  "exit-codes": formatExitCodes,
  environment: formatEnvironment,
  output: formatOutput,
  ci: formatCi,
};

const TOPIC = {
  fr: "une commande, ou un des sujets ci-dessous",
  en: "a command, or one of the topics below",
};

export function declareHelp(command: Command, { choose, isWhole, language }: DeclareOptions): void {
  const commands =
    command.parent
      ?.createHelp()
      .visibleCommands(command.parent)
      .map((each) => each.name()) ?? [];
  const topic = new Argument("[topic]", say(TOPIC, language));
  command
    .addArgument(topic.choices([...commands, ...Object.keys(TOPICS)]))
    .action((name?: string) => {
      const render = name === undefined ? undefined : TOPICS[name];
      if (render === undefined) command.parent?.help();
      else choose({}, async ({ io }) => (await io.print(render(language, isWhole)), EXIT.done));
    });
}
