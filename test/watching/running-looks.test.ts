import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createRunningLooks } from "../../server/watching/running-looks.ts";

const URL = "https://www.shop.co.uk/";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("a domain has two probes at once, and each counts for at least a second", () => {
  const looks = createRunningLooks();
  const ends = [looks.begin({ url: URL, account: 7 }), looks.begin({ url: URL, account: 7 })];
  expect(looks.hasRoom("https://blog.shop.co.uk/")).toBe(false);
  expect(looks.hasRoom("https://other.co.uk/")).toBe(true);
  expect(looks.counts).toEqual({ accounts: { 7: 2 }, domains: { "shop.co.uk": 2 } });
  ends[0]?.();
  expect(looks.counts).toEqual({ accounts: { 7: 1 }, domains: { "shop.co.uk": 2 } });
  vi.advanceTimersByTime(999);
  expect(looks.hasRoom(URL)).toBe(false);
  vi.advanceTimersByTime(1);
  expect(looks.hasRoom(URL)).toBe(true);
  ends[1]?.();
  expect(looks.counts).toEqual({ accounts: {}, domains: {} });
});
