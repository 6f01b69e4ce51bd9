import { PassThrough, type Readable } from "node:stream";
import type { Deps } from "../../../deps.ts";
import type { Language } from "../../../base/language.ts";
import { watchScan, type Scan } from "../../../scan/scans.ts";
import { createSemaphore, type Semaphore } from "../../../checks/semaphore.ts";
import { describeProgress } from "./scan-page.tsx";

/**
 * How many streams this process keeps open, for all visitors and for one. A browser opens six connections of HTTP/1.1,
 * so it keeps two for everything else; a page without a stream asks again.
 */
const STREAMS = { total: 512, perKey: 4 };
const HEARTBEAT_MS = 15_000;
/** A browser whose stream ends before its scan opens another. */
const LIFETIME_MS = 300_000;

export const createStreams = (): Semaphore => createSemaphore(STREAMS);

const isEnded = ({ state }: Scan) => state === "done" || state === "failed";

function write(stream: PassThrough, event: string, data: object): void {
  stream.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
}

async function tell(
  deps: Deps,
  stream: PassThrough,
  { id, language, signal }: { id: string; language: Language; signal: AbortSignal },
): Promise<void> {
  for await (const scan of watchScan(deps, id, signal)) {
    const { state, place, step } = scan;
    if (!isEnded(scan))
      write(stream, "state", { state, place, step, text: describeProgress(scan, language) });
  }
  if (!signal.aborted && !deps.draining.aborted) write(stream, "end", {});
}

/**
 * The steps of a scan as server-sent events, in words: `state` at first and at each change, `end` once the scan has
 * ended or was deleted. Ends without it after five minutes, when the server stops and when the client has left.
 */
export function streamScan(
  deps: Deps,
  { id, language, onEnd }: { id: string; language: Language; onEnd: () => void },
): Readable {
  const stream = new PassThrough();
  const ending = new AbortController();
  const end = () => ending.abort();
  const lifetime = setTimeout(end, LIFETIME_MS);
  const heartbeat = setInterval(() => stream.write(": \n\n"), HEARTBEAT_MS);
  const { signal } = ending;
  stream.once("close", () => {
    end();
    onEnd();
  });
  tell(deps, stream, { id, language, signal })
    .catch((error: unknown) => {
      if (!signal.aborted) deps.log.warn({ err: error }, "events of a scan cut short");
    })
    .finally(() => {
      clearTimeout(lifetime);
      clearInterval(heartbeat);
      stream.end();
    });
  return stream;
}
