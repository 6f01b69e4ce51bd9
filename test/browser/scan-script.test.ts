import { createHash } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { chromium, type Page } from "playwright-core";
import { beforeEach, describe, expect, inject, test } from "vitest";
import { SCAN_SCRIPT } from "../../server/web/pages/scan/scan-script.ts";
import { watchTroubles } from "../harness/browser.ts";
import { startSite } from "../harness/site.ts";
import { use } from "../harness/use.ts";

const POLICY = `default-src 'none'; connect-src 'self'; form-action 'self'; script-src 'sha256-${createHash("sha256").update(SCAN_SCRIPT).digest("base64")}'`;

const showPage = (body: string) => ({
  headers: { "content-type": "text/html; charset=utf-8", "content-security-policy": POLICY },
  body: `<!doctype html><html lang="en"><title>Scan</title><main>${body}</main><script>${SCAN_SCRIPT}</script>`,
});
const FORM = showPage(
  `<form id="scan" method="post" action="/scan"><input name="url" value="https://example.com/é?a&b">
   <input type="hidden" name="again" value="1"><button>Scan</button></form>`,
);
const LIVE = showPage(
  `<p id="live" data-events="/scan/1/events">Waiting</p><noscript>No script</noscript>`,
);

interface Post {
  type: string | undefined;
  body: string;
}

const site = use(() =>
  startSite({
    routes: {
      "/": FORM,
      "/done": showPage("<p>The scan</p>"),
      "/scan": takePost,
      "/scan/1": (_request, response) => {
        liveViews++;
        const { headers, body } = liveViews === 1 ? LIVE : showPage("<p>The report</p>");
        response.writeHead(200, headers).end(body);
      },
      "/scan/1/events": (_request, response) => stream(response),
    },
  }),
);
let page: Page;
let close: () => Promise<unknown>;
let troubles: () => string[];
/** What was posted to /scan, and how the test answers it. */
let posts: Post[];
let answer: (post: Post, response: ServerResponse) => void;
let stream: (response: ServerResponse) => void;
let liveViews: number;

function takePost(request: IncomingMessage, response: ServerResponse): void {
  let body = "";
  request.on("data", (chunk: Buffer) => (body += String(chunk)));
  request.on("end", () => {
    const post = { type: request.headers["content-type"], body };
    posts.push(post);
    answer(post, response);
  });
}

const sendJson = (response: ServerResponse, status: number, body: object) =>
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
const sendText = (response: ServerResponse, status: number, body: string) =>
  response.writeHead(status, { "content-type": "text/plain" }).end(body);
const isJson = ({ type }: Post) => type === "application/json";

beforeEach(async () => {
  posts = [];
  liveViews = 0;
  const browser = await chromium.connect(inject("browserEndpoint"));
  const context = await browser.newContext({ ignoreHTTPSErrors: true });
  troubles = watchTroubles(context, new URL(site.url).origin);
  page = await context.newPage();
  close = () => browser.close();
  return () => close();
});

const send = async () => {
  await page.goto(site.url);
  await page.getByRole("button").click();
};

describe("the form, with script", () => {
  test.each<[string, (response: ServerResponse) => void]>([
    ["a refused address", (response) => sendJson(response, 400, { error: "Refused" })],
    ["a bound", (response) => sendJson(response, 429, { error: "Too many" })],
    ["a full queue", (response) => sendJson(response, 503, { error: "Busy" })],
    ["an answer that is no JSON", (response) => sendText(response, 200, "?")],
    ["no answer", (response) => response.destroy()],
  ])("%s: it is sent as without script, and the server's page appears", async (_, refuse) => {
    answer = (post, response) =>
      isJson(post) ? refuse(response) : sendText(response, 400, "The page of the error");
    await send();
    await page.getByText("The page of the error").waitFor();
    // Chromium itself repeats what was cut off on a connection that it used before.
    expect([...new Set(posts.map(isJson))]).toEqual([true, false]);
    expect(posts.at(-1)?.body).toBe("url=https%3A%2F%2Fexample.com%2F%C3%A9%3Fa%26b&again=1");
  });

  test("a started scan appears", async () => {
    answer = (_post, response) => sendJson(response, 202, { id: "1", statusUrl: "/done" });
    await send();
    await page.getByText("The scan").waitFor();
    expect(posts.map(({ body }) => JSON.parse(body) as unknown)).toEqual([
      { url: "https://example.com/é?a&b", again: "1" },
    ]);
    expect(troubles()).toEqual([]);
    await page.goBack();
    expect(await page.locator("form").getAttribute("aria-busy")).toBe(null);
  });
});

describe("a running scan, with script", () => {
  const STATE = (text: string) =>
    `event: state\ndata: ${JSON.stringify({ state: "running", text })}\n\n`;
  const openStream = (response: ServerResponse) =>
    response.writeHead(200, { "content-type": "text/event-stream" });

  test("shows its steps as text, then the report", async () => {
    let end = () => {};
    stream = (response) => {
      openStream(response).write(STATE("Visiting <b>the page</b>"));
      end = () => void response.end("event: end\ndata: {}\n\n");
    };
    await page.goto(new URL("/scan/1", site.url).href);
    await page.getByText("Visiting <b>the page</b>").waitFor();
    end();
    await page.getByText("The report").waitFor();
    expect(liveViews).toBe(2);
    expect(troubles()).toEqual([]);
  });

  test("continues after an interrupted connection", async () => {
    let connections = 0;
    stream = (response) => {
      connections++;
      if (connections === 1) openStream(response).end(`retry: 1\n${STATE("Waiting")}`);
      else openStream(response).write(STATE("Visiting"));
    };
    await page.goto(new URL("/scan/1", site.url).href);
    await page.getByText("Visiting").waitFor();
    expect(liveViews).toBe(1);
  });

  test.each([
    ["there are no events any more", 404],
    ["the visitor has as many streams as a server gives", 503],
  ])("reloads the page if %s", async (_, status) => {
    stream = (response) => sendText(response, status, "None");
    await page.goto(new URL("/scan/1", site.url).href);
    await page.getByText("The report").waitFor();
  });
});
