import { chromium } from "playwright-core";
import type { TestProject } from "vitest/node";
import { RESOLVE_TO_LOOPBACK } from "./refusals.ts";
import { findBrowser } from "./find-browser.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** Where tests reach the one browser of the run. */
    browserEndpoint: string;
  }
}

/** Starts one browser for the run, in which every test has contexts of its own. */
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
