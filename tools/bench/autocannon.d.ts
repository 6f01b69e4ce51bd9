/** The parts of autocannon that the benches use; it ships no types. */
declare module "autocannon" {
  import type { EventEmitter } from "node:events";

  interface Request {
    method?: "GET" | "POST";
    path: string;
    headers?: Record<string, string>;
    body?: string;
  }

  interface Options {
    url: string;
    connections: number;
    /** In seconds. */
    duration?: number;
    /** Total number of requests, instead of a duration. */
    amount?: number;
    requests: Request[];
  }

  interface Result {
    errors: number;
    timeouts: number;
  }

  interface Run extends EventEmitter, PromiseLike<Result> {
    on(
      event: "response",
      listen: (client: unknown, status: number, bytes: number, latencyMs: number) => void,
    ): this;
  }

  export default function autocannon(options: Options): Run;
}
