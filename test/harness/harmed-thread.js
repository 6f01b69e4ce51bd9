/* The built check thread with one more rule, by which a page can harm the thread. The last part of the path selects the harm. */
import { writeSync } from "node:fs";
import { title } from "../../dist/server/engine/judge/rules/html-head.js";

const HARMS = {
  hang() {
    for (;;);
  },
  /** Allocates in small steps, so that the thread does not look hung on a slow machine. */
  exhaust() {
    const numbers = Array(1_000_000).fill(0.5);
    const kept = [];
    const keepMore = () => {
      kept.push(numbers.slice());
      process.nextTick(keepMore);
    };
    keepMore();
  },
  /** Uses half a second of CPU time, which is allowed, and reports its start. */
  work() {
    const usedMs = () => {
      const { user, system } = process.cpuUsage();
      return (user + system) / 1000;
    };
    const endsAt = usedMs() + 500;
    writeSync(2, "working");
    while (usedMs() < endsAt);
  },
  crash() {
    process.nextTick(() => {
      throw new Error("thrown where nobody catches it");
    });
  },
  reject() {
    void Promise.reject(new Error("rejected where nobody handles it"));
  },
  throw() {
    throw new Error("thrown by the rule");
  },
  garble() {
    return { status: "pass", seen: null };
  },
};

const { judge } = title;
title.judge = (evidence) =>
  HARMS[new URL(evidence.url).pathname.split("/").at(-1)]?.() ?? judge(evidence);

await import("../../dist/server/engine/visit/thread-program.js");
