import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { MessageData, MessageIncident } from "../../shared/message.ts";
import { writeBody } from "../../server/alerts/kinds/webhook.ts";
import { readBlocks, type Block } from "../ci/blocks.ts";
import { createTestDatabase, type TestDatabase } from "../harness/database.ts";
import { startMailRelay, type MailRelay } from "../harness/mail.ts";
import {
  runOrThrow,
  runServerCommand,
  startServerProcess,
  type ServerProcess,
} from "../harness/process.ts";
import { startReceiver, type Posted, type Receiver } from "../harness/receiver.ts";
import { useFolder } from "../harness/use.ts";

type IsGenuine = (headers: Posted["headers"], body: string, secret: string) => boolean;

interface ShownBody {
  type: "incident.opened";
  timestamp: string;
  data: MessageData & { incident: Omit<MessageIncident, "reason"> & { reason: string } };
}

const folder = useFolder();
let blocks: Block[];
let database: TestDatabase;
let relay: MailRelay;
let receiver: Receiver;
let env: Record<string, string>;
let server: ServerProcess;
/** The secret of the first webhook that the page adds. */
let secret = "";

const find = (language: string) => blocks.filter((block) => block.language === language);

beforeAll(async () => {
  [relay, receiver] = await Promise.all([startMailRelay(), startReceiver()]);
  const ca = join(folder, "ca.pem");
  await writeFile(ca, receiver.authority.certificate);
  database = await createTestDatabase("embedded");
  env = { ...database.env, ...relay.env, NODE_EXTRA_CA_CERTS: ca };
  blocks = await readBlocks("alerts.md");
  server = await startServerProcess(env);
});
afterAll(async () => {
  await server.end("SIGTERM");
  await Promise.all([relay.close(), receiver.close()]);
  await database.drop();
});

/** Runs a line like a shell. Its input file has the URL of the receiver that is named like the file. */
async function runLine(line: string, variables: Readonly<Record<string, string>>): Promise<string> {
  const [words = "", file] = line.split(" <");
  const filled = words.replaceAll(/"\$(\w+)"/g, (_, name: string) => variables[name] ?? "");
  const input = file ? `${receiver.at(file)}\n` : "";
  const { exitCode, stdout } = await runServerCommand(filled.split(" ").slice(1), env, {
    input,
  });
  // The receiver refuses messages now.
  expect([line, exitCode]).toEqual([line, / alert (?:test|retry) /.test(line) ? 1 : 0]);
  return stdout.trimEnd();
}

test("each command does what the page says", async () => {
  const [adding, seeing] = find("sh").map(({ text }) => text.trim().split("\n"));
  await runOrThrow(["account", "add", "ann@example.com", "--plan", "pro"], env);
  const words = ["project", "add", "ann@example.com", "--name", "Shop", "--url", receiver.url];
  const variables: Record<string, string> = { PROJECT: await runOrThrow(words, env) };
  for (const line of adding ?? []) {
    const printed = await runLine(line, variables);
    expect([line, printed]).toEqual([line, expect.stringMatching(/^alr_\w{20}(\twhsec_\S+)?$/)]);
    const [id, ownSecret = ""] = printed.split("\t");
    variables["ALERT"] ??= id ?? "";
    secret ||= ownSecret;
  }
  receiver.reply("webhook.url", ...Array.from({ length: 20 }, () => 500));
  for (const line of seeing ?? []) {
    const printed = await runLine(line, variables);
    const [id = ""] = printed.split("\t");
    if (id.startsWith("msg_")) variables["DELIVERY"] = id;
    expect([line, printed]).toEqual([line, expect.stringMatching(/^(?:alr|msg)_\w{20}/)]);
  }
  expect([adding?.length, seeing?.length]).toEqual([4, 6]);
});

test("the page's code accepts a sent message, and rejects changed ones", async () => {
  const path = join(folder, "genuine.mjs");
  await writeFile(path, find("js")[0]?.text ?? "");
  const { isGenuine } = (await import(path)) as { isGenuine: IsGenuine };
  const { headers, body } = await receiver.waitForRequest("webhook.url", 1);
  expect(isGenuine(headers, body, secret)).toBe(true);
  expect(isGenuine(headers, `${body} `, secret)).toBe(false);
  expect(isGenuine(headers, body, `whsec_${"A".repeat(32)}`)).toBe(false);
  expect(isGenuine({ ...headers, "webhook-timestamp": "1" }, body, secret)).toBe(false);
  expect(isGenuine({}, body, secret)).toBe(false);
});

test("the body on the page has the fields of a sent message", () => {
  const shown = JSON.parse(find("json")[0]?.text ?? "") as ShownBody;
  const { type, timestamp, data } = shown;
  const { reason } = data.incident;
  const incident = { ...data.incident, reason: { fr: reason, en: reason } };
  const at = new Date(timestamp);
  const message = { id: "", type, at, triedAt: at, attempts: 1, data: { ...data, incident } };
  expect(JSON.parse(writeBody(message, "en"))).toEqual(shown);
});
