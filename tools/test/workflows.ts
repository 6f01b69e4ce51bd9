/*
 * `npx tsx tools/test/workflows.ts < FILES` prints the faults that GitHub's own parser of workflows finds in each file, by the parser's
 * schema. FILES and the output are JSON arrays. The parser imports JSON as bundlers do, which plain Node rejects.
 */
import { json } from "node:stream/consumers";
import {
  convertWorkflowTemplate,
  NoOperationTraceWriter,
  parseWorkflow,
} from "@actions/workflow-parser";

async function findErrors(content: string): Promise<string[]> {
  const { context, value } = parseWorkflow(
    { name: "workflow.yml", content },
    new NoOperationTraceWriter(),
  );
  const converted = value && (await convertWorkflowTemplate(context, value));
  return [
    ...context.errors.getErrors().map(({ message }) => message),
    ...(converted?.errors ?? []).map(({ Message }) => Message),
  ];
}

const errors = [];
for (const content of (await json(process.stdin)) as string[])
  errors.push(await findErrors(content));
console.log(JSON.stringify(errors));
