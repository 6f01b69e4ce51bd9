import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { execa } from "execa";
import { type Browser, chromium } from "playwright-core";
import { findBrowser } from "./find-browser.ts";
import { RESOLVE_TO_LOOPBACK } from "./refusals.ts";
import { environmentOf, findProgram } from "./unpacked.ts";

/** Chromium on Linux trusts the roots in the NSS database of its user. */
export const CERTUTIL = findProgram(["certutil"], "--build-flags");

export interface TrustingBrowser {
  browser: Browser;
  close(): Promise<void>;
}

/** Starts a Chromium that trusts one more root. */
export async function startTrustingBrowser(root: string): Promise<TrustingBrowser> {
  const certutil = CERTUTIL ?? "";
  const home = await mkdtemp(join(tmpdir(), "shipscore-home-"));
  const folder = join(home, ".pki/nssdb");
  const file = join(home, "root.pem");
  await mkdir(folder, { recursive: true });
  await writeFile(file, root);
  const run = (...args: string[]) =>
    execa(certutil, ["-d", `sql:${folder}`, ...args], { env: environmentOf(certutil) });
  await run("-N", "--empty-password");
  await run("-A", "-n", "root", "-t", "C,,", "-i", file);
  const executablePath = findBrowser();
  const browser = await chromium.launch({
    ...(executablePath !== undefined && { executablePath }),
    chromiumSandbox: process.getuid?.() !== 0,
    env: { ...process.env, HOME: home },
    args: [`${RESOLVE_TO_LOOPBACK}, MAP * 127.0.0.1`],
  });
  return {
    browser,
    async close() {
      await browser.close();
      await rm(home, { recursive: true });
    },
  };
}
