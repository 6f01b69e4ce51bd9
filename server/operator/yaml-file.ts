import { parse, stringify } from "yaml";
import { AccountFile } from "../account-file/file.ts";
import { AppError } from "../base/errors.ts";
import { describeInput, readIssue } from "../base/input-faults.ts";
import { readInput } from "./input-file.ts";

/** A position in a file, such as `projects[0].url`. */
const writePosition = (path: readonly PropertyKey[]) =>
  path
    .map((key) => (typeof key === "number" ? `[${key}]` : `.${String(key)}`))
    .join("")
    .replace(/^\./, "");

function parseText(file: string, text: string): unknown {
  try {
    return parse(text);
  } catch (error) {
    const [fault = ""] = String(error instanceof Error ? error.message : error).split("\n");
    throw new AppError("account_file_invalid", { file, position: "", fault });
  }
}

const variablesOf = ({ projects }: AccountFile) =>
  projects
    .flatMap(({ alerts = [] }) => alerts)
    .flatMap(({ target }) => (typeof target === "object" ? target.env : []));

/** Also returns the values of the variables that the file names. Throws `account_file_invalid`. */
export async function readAccountFile(
  file: string,
  stdin: NodeJS.ReadableStream,
  env: Readonly<Record<string, string | undefined>>,
): Promise<{ content: unknown; targets: Record<string, string> }> {
  const content = parseText(file, await readInput(file, stdin));
  const parsed = AccountFile.safeParse(content, { reportInput: true });
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const position = writePosition(issue?.path ?? []);
    const fault = describeInput(readIssue(parsed.error.issues));
    throw new AppError("account_file_invalid", { file, position, fault });
  }
  const wanted = variablesOf(parsed.data).flatMap((name): [string, string][] =>
    env[name] === undefined ? [] : [[name, env[name]]],
  );
  return { content, targets: Object.fromEntries(wanted) };
}

export const writeYaml = (content: unknown): string => stringify(content, { lineWidth: 0 });
