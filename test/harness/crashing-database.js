/* Loaded into every thread. The thread of the embedded database crashes once the file CRASH_AT exists. */
import { existsSync } from "node:fs";
import { workerData } from "node:worker_threads";

const PAUSE_MS = 20;

if (workerData?.socketPath && process.env.CRASH_AT)
  setInterval(() => {
    if (existsSync(process.env.CRASH_AT)) throw new Error("the test makes the database crash");
  }, PAUSE_MS).unref();
