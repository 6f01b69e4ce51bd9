import type { ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test, vi } from "vitest";
import { getFinding } from "../../../engine/judge/finding-of.ts";
import { probePage, probeUrl } from "../../../harness/probing.ts";
import { startSite } from "../../../harness/site.ts";
import { use } from "../../../harness/use.ts";

vi.setConfig({ testTimeout: 60_000 });

const HTML = { "content-type": "text/html; charset=utf-8" };
const START = '<!doctype html><html lang="en"><title>Tea</title><body><h1>Tea</h1>';
const SHELL = `${START}<p>Tea, by the leaf, from eleven gardens.</p>`;
const END = "</body></html>";

/** Writes the parts, each after its seconds. */
const write = async (response: ServerResponse, ...parts: (number | string)[]): Promise<void> => {
  for (const part of parts) {
    if (typeof part === "number") await sleep(part * 1000, undefined, { ref: false });
    else response.write(part);
  }
};

const begin = (response: ServerResponse): ServerResponse => response.writeHead(200, HTML);

const site = use(() =>
  startSite({
    routes: {
      "/streamed": async (_request, response) => {
        await write(begin(response), SHELL, 5, `<p>The end.</p>${END}`);
        response.end();
      },
      "/slow": async (_request, response) => {
        await sleep(6000, undefined, { ref: false });
        begin(response).end(SHELL + END);
      },
      "/silent": () => undefined,
      "/open": (_request, response) => void write(begin(response), SHELL + END),
      "/unfinished": (_request, response) => void write(begin(response), SHELL),
      "/headless": (_request, response) => void write(begin(response), "<!doctype html><title>T"),
      "/slow-redirect": async (request, response) => {
        await sleep(6000, undefined, { ref: false });
        response.writeHead(302, { location: `${request.url}/slow-redirect` }).end();
      },
      "/slow-redirect/slow-redirect": async (_request, response) => {
        await sleep(6000, undefined, { ref: false });
        response.writeHead(302, { location: "/silent" }).end();
      },
    },
  }),
);

test.concurrent.each([
  ["streamed", "whole", "pass"],
  ["slow", "whole", "pass"],
  ["open", "whole", "pass"],
  ["unfinished", "late", "pass"],
  ["headless", "late", "unknown"],
])("the page /%s is judged by what arrives", async (path, state, html) => {
  const evidence = await probeUrl(site.url + path);
  expect(evidence.page).toMatchObject({ failure: null, stop: null, attempts: 1, body: { state } });
  expect(getFinding("reach.html", evidence).status).toBe(html);
  expect(getFinding("hdr.valid", evidence).status).not.toBe("partial");
});

test.concurrent("what an unfinished page lacks is unknown", async () => {
  const evidence = await probeUrl(`${site.url}unfinished`);
  expect(getFinding("perf.weight", evidence).status).toBe("unknown");
  expect(getFinding("perf.ttfb", evidence).status).not.toBe("fail");
});

test.concurrent("a silent page is requested once, for 10 seconds", async () => {
  const evidence = await probePage(`${site.url}silent`);
  expect(evidence.page.attempts).toBe(1);
  const { status, evidence: found } = getFinding("reach.connect", evidence);
  expect([status, found]).toEqual([
    "fail",
    expect.stringMatching(/^No response from .+ within 10 seconds\.$/),
  ]);
});

test.concurrent("a URL to which slow redirects leave no time is unknown", async () => {
  const { page } = await probePage(`${site.url}slow-redirect`);
  expect(page).toMatchObject({ failure: null, stop: { reason: "unreached" } });
});
