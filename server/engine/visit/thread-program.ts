import { parentPort, workerData } from "node:worker_threads";
import type { Call, Reply } from "./threads.ts";
import { openVisits, type Setting, type Task } from "./visits.ts";

const perform = openVisits(workerData as Setting);
const running = new Map<number, AbortController>();

parentPort?.on("message", (call: Call) => {
  if (call === "ping") parentPort?.postMessage("pong");
  else if ("abort" in call) running.get(call.number)?.abort();
  else void answer(call.number, call.task);
});

async function answer(number: number, task: Task): Promise<void> {
  const controller = new AbortController();
  running.set(number, controller);
  const post = (reply: Reply): void => {
    if (!controller.signal.aborted) parentPort?.postMessage(reply);
  };
  const reply = await perform(task, controller.signal, () => post({ number, progress: true })).then(
    (conclusion): Reply => ({ number, conclusion }),
    (error: unknown): Reply => ({ number, error }),
  );
  running.delete(number);
  post(reply);
}
