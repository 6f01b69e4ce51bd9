import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import { PEERS_FOLDER } from "./peers.ts";
import type { Visit } from "./visitor.ts";

async function load(name: string): Promise<Record<string, never>> {
  const file = createRequire(new URL("package.json", PEERS_FOLDER)).resolve(name);
  return (await import(pathToFileURL(file).href)) as Record<string, never>;
}

/** The five requests of MDN's HTTP Observatory, and its verdict. */
export async function createObservatory(url: string): Promise<Visit> {
  const { scan } = (await load("@mdn/mdn-http-observatory")) as {
    scan?: (host: string) => Promise<unknown>;
  };
  return async () => void (await scan?.(new URL(url).host));
}

/** Linkinator's check of everything that the page refers to. */
export async function createLinkinator(url: string): Promise<Visit> {
  const { check } = (await load("linkinator")) as {
    check?: (options: { path: string; concurrency: number }) => Promise<{ passed: boolean }>;
  };
  return async () => {
    const result = await check?.({ path: url, concurrency: 6 });
    if (!result?.passed) throw new Error("linkinator found a broken link");
  };
}
