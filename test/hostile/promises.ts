import { expect, vi } from "vitest";
import type { HostileSite } from "./hostile-site.ts";
import type { Report, Trip, Visitor } from "./visitor.ts";

/** The 18 s of a check, and one more. */
const MAX_DURATION_MS = 19_000;
const MAX_GROWN_BYTES = 50 * 1024 * 1024;
const MAX_EVIDENCE_BYTES = 256 * 1024;

/**
 * Visits a site, and holds the probe to what it promises of any: its time, its memory, its evidence, its sockets, and
 * that an ordinary site checked in the same thread at the same time gets the same result as alone.
 */
export async function visitSafely(
  visitor: Visitor,
  site: Pick<HostileSite, "url" | "open">,
  trip: Partial<Trip> = {},
): Promise<Report> {
  const [report] = await Promise.all([
    visitor.visit({ url: site.url, ...trip }),
    visitor.neighbour.visit(),
  ]);
  expect(report.durationMs).toBeLessThan(MAX_DURATION_MS);
  expect(report.grownBytes).toBeLessThan(MAX_GROWN_BYTES);
  expect(Buffer.byteLength(JSON.stringify(report.evidence))).toBeLessThanOrEqual(
    MAX_EVIDENCE_BYTES,
  );
  expect(report.leftOpen).toBe("");
  await vi.waitFor(() => expect(site.open.size).toBe(0), { timeout: 2000, interval: 5 });
  return report;
}

/** The status of each finding, by its rule. */
export function findingsOf({ result }: Report): Record<string, string> {
  return Object.fromEntries(result.findings.map(({ id, status }) => [id, status]));
}
