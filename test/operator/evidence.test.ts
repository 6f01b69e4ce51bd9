import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import type { Check } from "../../shared/check.ts";
import { useFiles } from "../harness/database.ts";
import { addAccount, runOrThrow, runServerCommand } from "../harness/process.ts";
import { useServerOn } from "../harness/server.ts";
import { startSite } from "../harness/site.ts";
import { use, useFolder } from "../harness/use.ts";
import { sendCheck } from "../harness/request.ts";

const ANN = "ann@example.com";

const folder = useFolder();
let token: string;

const saveFile = async (name: string, content: string) => {
  const file = join(folder, name);
  await writeFile(file, content);
  return file;
};
const rescore = (...words: string[]) => runServerCommand(["rescore", ...words], {});

const database = useFiles();
const site = use(() =>
  startSite({
    routes: {
      "/": {
        headers: { "content-type": "text/html", "set-cookie": "sid=s3cret; Secure" },
        body: "<!doctype html><html lang=fr><title>Une page</title><img src=/a.png>",
      },
    },
  }),
);
const server = useServerOn(database);
beforeAll(async () => {
  token = await addAccount(database.env, ANN);
});

/** The answer's bytes, from its `score` to the end of its `findings`. */
function resultBytes(answer: string): string {
  return answer.slice(answer.indexOf('"score"'), answer.indexOf(',"timings"'));
}

async function check(language: string): Promise<string> {
  const headers = { "accept-language": language };
  const answer = await sendCheck(server.url, token, `${site.url}?key=s3cret#s3cret`, { headers });
  expect(answer.status).toBe(200);
  return answer.text();
}

test("a missing check is one sentence", async () => {
  const none = await runServerCommand(["evidence", "chk_none"], database.env);
  expect([none.exitCode, none.stdout]).toEqual([1, ""]);
  expect(none.stderr).toContain("There is no evidence for check chk_none.");
});

describe.each(["fr", "en"])("a check in %s", (language) => {
  test("is assessed again from its evidence, byte for byte", async () => {
    const answer = await check(language);
    const evidence = await runOrThrow(["evidence", (JSON.parse(answer) as Check).id], database.env);
    expect(evidence).not.toContain("s3cret");
    const file = await saveFile(`${language}.json`, evidence);
    const { exitCode, stdout, stderr } = await rescore(file);
    expect([exitCode, stderr]).toEqual([0, ""]);
    expect(stdout).toBe(`{${resultBytes(answer)}}\n`);
    const other = await rescore(file, "--language", language === "fr" ? "en" : "fr");
    expect(other.stdout).not.toBe(stdout);
    expect((await rescore(file, "--language", language, "--json")).stdout).toBe(stdout);
  });
});
