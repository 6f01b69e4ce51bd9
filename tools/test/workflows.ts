/*
 * `npx tsx tools/test/workflows.ts < FILES`: what GitHub's own parser of workflows has against each file, by the schema that it comes
 * with. FILES is a JSON array of texts, and so is what is printed of each. The parser imports JSON as bundlers do, which Node alone refuses.
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
