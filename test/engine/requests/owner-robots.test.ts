import { describe, expect, test } from "vitest";
import { readRobots } from "../../../server/engine/requests/body/robots.ts";
import {
  disallowsEverything,
  OWN_AGENT,
} from "../../../server/engine/requests/body/robots-rules.ts";

describe("robots.txt", () => {
  const shutsOut = async (lines: string[]) =>
    disallowsEverything((await readRobots(lines.join("\n"))).rules, OWN_AGENT);

  test.each([
    [["User-agent: shipscore", "Disallow: /"]],
    [["user-agent:ShipScore", "disallow:/"]],
    [["User-agent: shipscore/1.0", "Disallow: /"]],
    [["User-agent: Googlebot", "User-agent: shipscore", "Disallow: /"]],
    [["User-agent: *", "Allow: /", "", "User-agent: shipscore", "Disallow: /"]],
    [["User-agent: shipscore", "Disallow: /*"]],
    [["User-agent: shipscore", "Disallow: *"]],
    [["User-agent: shipscore", "Disallow: / # all of it"]],
    [["User-agent: shipscore", "Disallow: /a", "", "User-agent: shipscore", "Disallow: /"]],
    [["User-agent: shipscore", "Crawl-delay: 10", "Disallow: /", "Allow: /public/"]],
  ])("%j forbids public scans", async (lines) => {
    expect(await shutsOut(lines)).toBe(true);
  });

  test.each([
    [[]],
    [["User-agent: *", "Disallow: /"]],
    [["Disallow: /"]],
    [["User-agent: shipscore", "Disallow:"]],
    [["User-agent: shipscore", "Allow: /"]],
    [["User-agent: shipscore", "Disallow: /admin/"]],
    [["User-agent: shipscore", "Disallow: /$"]],
    [["User-agent: shipscore", "Disallow: /", "Allow: /"]],
    [["User-agent: shipscore", "Disallow: ", "", "User-agent: *", "Disallow: /"]],
    [["User-agent: shipscore-bot", "Disallow: /"]],
    [["User-agent: ship", "Disallow: /"]],
    [["User-agent: the shipscore", "Disallow: /"]],
    [["# User-agent: shipscore", "Disallow: /"]],
  ])("%j allows them", async (lines) => {
    expect(await shutsOut(lines)).toBe(false);
  });
});
