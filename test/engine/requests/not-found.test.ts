import type { IncomingMessage, ServerResponse } from "node:http";
import { afterEach, describe, expect, test, vi } from "vitest";
import { probeUrl } from "../../harness/probing.ts";
import { type Route, type Site, startSite } from "../../harness/site.ts";

const HOSTS = ["shop.test", "www.shop.test"];
const PAGE = { headers: { "content-type": "text/html" }, body: "<!doctype html><title>t</title>" };
const PATH = /^\/shipscore-[0-9a-f]{16}$/;

const sites: Site[] = [];

afterEach(async () => {
  await Promise.all(sites.splice(0).map((site) => site.close()));
});

/** What a path that does not exist gets: the status and the place of a redirect, or a status alone. */
type Unlikely = (path: string, host: string) => string | number;

/** The home page is on www; every other path is answered by `unlikely`. */
async function probePaths(unlikely: Unlikely) {
  const answer = (request: IncomingMessage, response: ServerResponse): void => {
    const { url: path = "", headers } = request;
    const host = headers.host ?? "";
    const isHome = path === "/" && host.startsWith("www.");
    if (isHome) return void response.writeHead(200, PAGE.headers).end(PAGE.body);
    const answered = path === "/" ? `https://www.${host}/` : unlikely(path, host);
    if (typeof answered === "number") return void response.writeHead(answered).end();
    response.writeHead(308, { location: answered }).end();
  };
  const routes: Record<string, Route> = { "*": answer };
  const site = await startSite({ routes, hosts: HOSTS });
  sites.push(site);
  const { notFound } = await probeUrl(`https://shop.test:${site.port}/`);
  await vi.waitFor(() => expect(site.open.size).toBe(0));
  const asked = site.requests.filter(({ url }) => url.includes("shipscore-"));
  return { notFound, asked, path: asked[0]?.url ?? "" };
}

describe("the request for a path that does not exist", () => {
  test("goes to the page's host, and not to the one before the redirect", async () => {
    const { notFound, asked, path } = await probePaths((_, host) =>
      host.startsWith("www.") ? 404 : "/",
    );
    expect(path).toMatch(PATH);
    expect(asked.map(({ headers }) => headers.host?.replace(/:.*/, ""))).toEqual([
      "shop.test",
      "www.shop.test",
    ]);
    expect(notFound).toMatchObject({ status: 404, location: null });
    expect(new URL(notFound.url).hostname).toBe("www.shop.test");
  });

  test.each<[string, Unlikely, string]>([
    ["a slash at its end", (path) => (path.endsWith("/") ? 404 : `${path}/`), "{path}/"],
    ["a language", (path) => (path.startsWith("/en/") ? 404 : `/en${path}`), "/en{path}"],
    [
      "a language and a slash, one after the other",
      (path) => (path.endsWith("/") ? 404 : path.startsWith("/en/") ? `${path}/` : `/en${path}`),
      "/en{path}/",
    ],
  ])("follows a redirect that adds %s", async (_, unlikely, end) => {
    const { notFound, path } = await probePaths(unlikely);
    expect(notFound).toMatchObject({ status: 404, location: null });
    expect(new URL(notFound.url).pathname).toBe(end.replace("{path}", path));
  });

  test.each<[string, Unlikely]>([
    ["leads home", () => "/"],
    ["has the path in its query alone", (path) => `/login?next=${path}`],
    ["leads to http", (path, host) => `http://${host}${path}/`],
    ["leads to itself", (path) => path],
  ])("stops if a redirect %s", async (_, unlikely) => {
    const { notFound, asked } = await probePaths(unlikely);
    expect(notFound.status).toBe(308);
    expect(asked).toHaveLength(2);
  });

  test("does not redirect forever", async () => {
    const { notFound, asked } = await probePaths((path) => `/en${path}`);
    expect(notFound.status).toBe(308);
    expect(asked).toHaveLength(6);
  });
});
