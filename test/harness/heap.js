/** Loaded into a server's process. At SIGUSR2, collects garbage and prints on stderr how many bytes remain in use. */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { isMainThread } from "node:worker_threads";

if (isMainThread) {
  setFlagsFromString("--expose-gc");
  const gc = runInNewContext("gc");
  process.on("SIGUSR2", () => {
    gc();
    process.stderr.write(`heap ${process.memoryUsage().heapUsed}\n`);
  });
}
