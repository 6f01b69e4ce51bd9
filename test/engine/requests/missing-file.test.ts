import type { IncomingMessage, ServerResponse } from "node:http";
import { afterEach, describe, expect, test } from "vitest";
import { probeUrl } from "../../harness/probing.ts";
import { type Site, startSite } from "../../harness/site.ts";

const sites: Site[] = [];
afterEach(async () => {
  await Promise.all(sites.splice(0).map((site) => site.close()));
});

const MADE_UP = /shipscore-[0-9a-f]{16}\.[a-z]+$/;
type Reply = (path: string, response: ServerResponse) => void;

/** A page with this markup, beside whose files made-up names get `reply`. */
async function probeBeside(markup: string, reply: Reply = (_, response) => notFound(response)) {
  const answer = ({ url: path = "" }: IncomingMessage, response: ServerResponse): void => {
    if (path === "/shop")
      return void response
        .writeHead(200, { "content-type": "text/html" })
        .end(`<!doctype html><title>t</title>${markup}`);
    if (path.includes("shipscore-") && path.includes("/assets/")) return reply(path, response);
    notFound(response);
  };
  const site = await startSite({ routes: { "*": answer } });
  sites.push(site);
  const { missingFile } = await probeUrl(`${site.url}shop`);
  const asked = site.requests.filter(({ url }) => url.includes("/assets/shipscore-"));
  return { missingFile, asked };
}

function notFound(response: ServerResponse): void {
  response.writeHead(404).end();
}

const SCRIPT = '<script src="/assets/app.3f9c2b1a.js"></script>';

describe("the request for a made-up file", () => {
  test("is sent as a script's is, once, beside a hashed file", async () => {
    const { missingFile, asked } = await probeBeside(SCRIPT);
    expect(asked).toHaveLength(1);
    expect(asked[0]?.url).toMatch(/^\/assets\/shipscore-[0-9a-f]{16}\.js$/);
    expect(asked[0]?.headers).toMatchObject({ accept: "*/*" });
    expect(asked[0]?.headers.referer).toMatch(/\/shop$/);
    expect(missingFile).toMatchObject({ status: 404, end: null, isHtml: false });
  });

  test.each([
    ["a style sheet", '<link rel="stylesheet" href="/assets/app-BcD3f4Gh.css">', ".css"],
    ["an image alone", '<img src="/assets/tin.3f9c2b1a.webp" alt="">', ".webp"],
    ["a script before an image", `<img src="/assets/tin.3f9c2b1a.webp" alt="">${SCRIPT}`, ".js"],
  ])("takes the ending of %s", async (_, markup, ending) => {
    const { asked } = await probeBeside(markup);
    expect(asked.map(({ url }) => MADE_UP.test(url) && url.endsWith(ending))).toEqual([true]);
  });

  test.each([
    ["no hashed file", '<script src="/assets/app.js"></script>'],
    [
      "a hashed file of another host",
      '<script src="https://cdn.example/app.3f9c2b1a.js"></script>',
    ],
  ])("is not sent for %s", async (_, markup) => {
    expect(await probeBeside(markup)).toEqual({ missingFile: null, asked: [] });
  });

  test.each<[string, Reply, object]>([
    [
      "a page by its type",
      (_, response) => void response.writeHead(200, { "content-type": "text/html" }).end(),
      { status: 200, isHtml: true },
    ],
    [
      "a page by its bytes",
      (_, response) =>
        void response
          .writeHead(200, { "content-type": "text/javascript" })
          .end("\n<!-- app --><!DOCTYPE html><title>t</title>"),
      { status: 200, isHtml: true },
    ],
    [
      "a script",
      (_, response) =>
        void response.writeHead(200, { "content-type": "text/javascript" }).end("let a = 1 < 2;"),
      { status: 200, isHtml: false },
    ],
  ])("recognizes %s", async (_, reply, found) => {
    expect((await probeBeside(SCRIPT, reply)).missingFile).toMatchObject(found);
  });

  test("follows redirects to their end, and two at most", async () => {
    const { missingFile } = await probeBeside(SCRIPT, (_, response) =>
      response.writeHead(302, { location: "/shop" }).end(),
    );
    expect(missingFile).toMatchObject({ status: 200, isHtml: true });
    expect(missingFile?.end).toMatch(/\/shop$/);
    const { asked } = await probeBeside(SCRIPT, (path, response) =>
      response.writeHead(302, { location: `${path}n` }).end(),
    );
    expect(asked).toHaveLength(3);
  });
});
