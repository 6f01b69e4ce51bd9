import { expect, test } from "vitest";
import { runCli, TOKEN } from "../harness/cli.ts";
import { contract, json, startContractDouble } from "../harness/contract-double.ts";
import { use } from "../harness/use.ts";

const server = use(startContractDouble);

const run = (args: string[], CI: string, url = server.url) =>
  runCli(args, { SHIPSCORE_URL: url, SHIPSCORE_TOKEN: TOKEN, CI });

const URLS = ["https://a.example/", "https://b.example/"];
const CHECK = ["check", "https://example.com/"];

test.each<[string, string[], RegExp]>([
  ["false", CHECK, /^$/],
  ["", CHECK, /^$/],
  ["true", CHECK, /^shipscore: checking https:\/\/example\.com\/\n$/],
  ["1", ["projects"], /^shipscore: reading projects\n$/],
  ["true", ["projects", "--json"], /^shipscore: reading projects\n$/],
  [
    "true",
    ["check", ...URLS],
    /^shipscore: checking 2 URLs, which takes 2 slots\.\n(shipscore: https:\/\/[ab]\.example\/: 59, do not ship\.\n){2}$/,
  ],
])("with CI=%s, %j says on stderr %s", async (CI, args, stderr) => {
  expect((await run(args, CI)).stderr).toMatch(stderr);
});

test("in a job each retry is a line, after the one that it begins with", async () => {
  await using faltering = await startContractDouble((request, response, count) =>
    (count === 1 ? json({ error: "Indisponible." }, 503, { "retry-after": "0" }) : contract)(
      request,
      response,
      count,
    ),
  );
  const { exitCode, stderr } = await run(CHECK, "true", faltering.url);
  expect(exitCode).toBe(0);
  expect(stderr).toMatch(
    /^shipscore: checking https:\/\/example\.com\/\nshipscore: the server answered 503\. Trying again in 0 s \(1 of 3\)\.\n$/,
  );
});
