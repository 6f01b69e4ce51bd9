import type { Config } from "../../config.ts";
import { findOwnOrigin } from "../../http/origin.ts";
import type { Site } from "./document.tsx";

/** The server as its pages name it to whoever asked for this host. */
export function siteOf(config: Config, host: string | undefined): Site {
  return { origin: findOwnOrigin(host, config) };
}
