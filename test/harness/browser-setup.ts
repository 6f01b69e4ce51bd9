import { chromium } from "playwright-core";
import type { TestProject } from "vitest/node";
import { RESOLVE_TO_LOOPBACK } from "./refusals.ts";
import { findBrowser } from "./find-browser.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** The WebSocket URL of the run's one browser. */
    browserEndpoint: string;
  }
}

/** Starts one browser for the run; every test has its own contexts in it. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const executablePath = findBrowser();
  if (executablePath === undefined) throw new Error("there is no browser");
  const browser = await chromium.launchServer({
    executablePath,
    // Chromium has no sandbox for root.
    chromiumSandbox: process.getuid?.() !== 0,
    args: [RESOLVE_TO_LOOPBACK],
  });
  project.provide("browserEndpoint", browser.wsEndpoint());
  return () => browser.close();
}
