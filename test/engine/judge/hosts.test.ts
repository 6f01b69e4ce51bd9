import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  isDeploymentHost,
  isLeftoverHost,
  isPreviewLink,
} from "../../../server/engine/judge/facts/hosts.ts";
import { isPrivateHost } from "../../../server/base/syntax/private-hosts.ts";

describe("a host that appears on a page", () => {
  it.each([
    ["shop-git-main-acme.vercel.app", true],
    ["teapot.ngrok-free.app", true],
    ["teahouse.vercel.app", true],
    ["my-teahouse-web.netlify.app", true],
    ["skill-icons.vercel.app", false],
    ["og-image.vercel.app", false],
    ["img.shields.io", false],
    ["teahouse.example.org", false],
  ])("%s is a leftover of www.teahouse.co.uk: %j", (host, isOne) => {
    expect(isLeftoverHost(host, ["www.teahouse.co.uk"])).toBe(isOne);
  });

  it("is no leftover if others share its short name by chance, nor if it is the platform's own", () => {
    expect(isLeftoverHost("teapots.vercel.app", ["tea.com"])).toBe(false);
    expect(isLeftoverHost("vercel-badge.vercel.app", ["teahouse.vercel.app"])).toBe(false);
  });
});

describe("what a host's name reveals", () => {
  it.each([
    ["shop-git-main-acme.vercel.app", "a single preview"],
    ["shop-4f2a9c1d7-acme.vercel.app", "a single preview"],
    ["deploy-preview-12--shop.netlify.app", "a single preview"],
    ["4f2a9c1d.shop.pages.dev", "a single preview"],
    ["teapot.ngrok-free.app", "a single preview"],
    ["Teapot.TryCloudflare.com", "a single preview"],
    ["shop.vercel.app", "a deployment"],
    ["shop.netlify.app", "a deployment"],
    ["shop.pages.dev", "a deployment"],
    ["intranet", "local"],
    ["shop.onion", "local"],
    ["SHOP.alt.", "local"],
    ["203.0.113.9", "local"],
    ["[2001:db8::1]", "local"],
    ["localhost", "local"],
    ["shop.localhost", "local"],
    ["shop.test", "local"],
    ["nas.home.arpa", "local"],
    ["10.1.2.3", "local"],
    ["100.64.0.1", "local"],
    ["172.31.0.1", "local"],
    ["[::1]", "local"],
    ["[fd12:3456::1]", "local"],
    ["", "public"],
    ["vercel.app", "public"],
    ["notvercel.app", "public"],
    ["shop-git-main.example.com", "public"],
    ["10.example.com", "public"],
    ["example.com", "public"],
    ["100.128.0.1", "public"],
    ["172.32.0.1", "public"],
    ["[2606:4700::1]", "public"],
  ])("%s: %s", (host, kind) => {
    const named = [
      isPreviewLink(host) && "a single preview",
      isDeploymentHost(host) && "a deployment",
      isPrivateHost(host) && "local",
    ];
    expect(named.find(Boolean) || "public").toBe(kind);
  });
});

/** How a single preview was known before, in a time that is not linear in the name. */
const ONE_DEPLOYMENT =
  /(?:-git-[^.]+|-[a-z0-9]{9}-[^.]+)\.vercel\.app$|--[^.]+\.netlify\.app$|^[^.]+\.[^.]+\.pages\.dev$/i;
const PIECES = "a.|-|--|-git-|-abc123def-|x|.|.vercel.app|.netlify.app|.pages.dev|VERCEL.app".split(
  "|",
);

it("a single preview is matched as by the expression before it, now in linear time", () => {
  const names = fc
    .array(fc.constantFrom(...PIECES), { maxLength: 12 })
    .map((pieces) => pieces.join(""));
  fc.assert(
    fc.property(names, (name) => isPreviewLink(name) === ONE_DEPLOYMENT.test(name)),
    { numRuns: 20_000, seed: 20_261 },
  );
});
