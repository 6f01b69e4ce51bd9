/* The thread of checks as it is built, with one rule that a page can harm it through: by the last part of its path. */
import { writeSync } from "node:fs";
import { title } from "../../dist/server/engine/judge/rules/html-head.js";

const HARMS = {
  hang() {
    for (;;);
  },
  /** Bit by bit, so that it does not hang however slow the machine is. */
  exhaust() {
    const numbers = Array(1_000_000).fill(0.5);
    const kept = [];
    const keepMore = () => {
      kept.push(numbers.slice());
      process.nextTick(keepMore);
    };
    keepMore();
  },
  /** Works for half a second of the processor, as a thread may, and says when it begins. */
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
