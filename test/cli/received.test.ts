import { describe, expect, test } from "vitest";
import type * as z from "zod/mini";
import { findFault, read } from "../../cli/client/api-responses.ts";
import { Check } from "../../shared/check.ts";
import { IncidentList } from "../../shared/incident.ts";
import { LastShipResponse } from "../../shared/last-ship.ts";
import { ProjectList } from "../../shared/project.ts";
import { CHECK, INCIDENTS, LAST_SHIP, PROJECTS } from "../harness/contract-double.ts";

type Path = readonly (string | number)[];

/** The path of every member inside a value; of the items of a list, of those of its first. */
function listPaths(value: unknown, path: Path = []): Path[] {
  if (Array.isArray(value)) return listPaths(value[0], [...path, 0]);
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => [
    [...path, name],
    ...listPaths(member, [...path, name]),
  ]);
}

/** A copy of the value with another member at the end of the path; JSON leaves out `undefined`. */
function withMember(value: unknown, [...path]: Path, member: unknown): unknown {
  const copy = structuredClone(value);
  const last = path.pop();
  let place = copy as Record<string | number, unknown>;
  for (const key of path) place = place[key] as typeof place;
  place[last ?? ""] = member;
  return JSON.parse(JSON.stringify(copy));
}

const VALUES: readonly (readonly [string, unknown, z.core.$ZodType])[] = [
  ["a check", CHECK, Check],
  ["projects", PROJECTS, ProjectList],
  ["incidents", INCIDENTS, IncidentList],
  ["the last ship", LAST_SHIP, LastShipResponse],
];

describe.each(VALUES)("of %s", (_, value, schema) => {
  test("the value itself is read", () => {
    expect(read(schema, value)).toBe(value);
    expect(findFault(schema, value)).toBeUndefined();
  });

  const optional = ["why", "previousFiles"];
  const paths = listPaths(value).filter((path) => !optional.includes(String(path.at(-1))));
  test.each(paths.map((path) => [path.join("."), path] as const))(
    "%s is named if it is missing, or has an impossible value",
    (name, path) => {
      const without = withMember(value, path, undefined);
      expect([read(schema, without), findFault(schema, without)?.en]).toEqual([
        undefined,
        `${name} is missing`,
      ]);
      const odd = withMember(value, path, [[]]);
      expect(read(schema, odd)).toBeUndefined();
      expect(findFault(schema, odd)?.en).toMatch(/ is not valid$/);
    },
  );

  test.each([null, [], "text", 1])("%j is invalid", (other) => {
    expect([read(schema, other), findFault(schema, other)]).toEqual([undefined, undefined]);
  });
});

test("a finding saved by an older version has no reason why it matters", () => {
  const why = (value: unknown) => withMember(CHECK, ["findings", 0, "why"], value);
  expect(read(Check, why(undefined))).toBeDefined();
  expect(findFault(Check, why(1))?.en).toBe("findings.0.why is not valid");
});

test("an older server does not count the files of the previous build", () => {
  const previous = (value: unknown) => withMember(LAST_SHIP, ["lastShip", "previousFiles"], value);
  expect(read(LastShipResponse, previous(undefined))).toBeDefined();
  expect(findFault(LastShipResponse, previous(1))?.en).toBe("lastShip.previousFiles is not valid");
});

test("a finding may name what blocks it, as a text", () => {
  const blocked = (blockedBy: unknown) =>
    withMember(CHECK, ["findings", 0, "blockedBy"], blockedBy);
  expect(read(Check, blocked("reach.status"))).toBeDefined();
  expect(findFault(Check, blocked(1))?.en).toBe("findings.0.blockedBy is not valid");
});
