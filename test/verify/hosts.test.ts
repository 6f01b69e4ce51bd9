import { describe, expect, it } from "vitest";
import { isDeploymentHost, isLocalHost, isPreviewHost } from "../../server/verify/hosts.ts";

describe("what a host's name says of it", () => {
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
    ["localhost", "local"],
    ["shop.localhost", "local"],
    ["shop.test", "local"],
    ["nas.home.arpa", "local"],
    ["10.1.2.3", "local"],
    ["100.64.0.1", "local"],
    ["172.31.0.1", "local"],
    ["[::1]", "local"],
    ["[fd12:3456::1]", "local"],
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
      isPreviewHost(host) && "a single preview",
      isDeploymentHost(host) && "a deployment",
      isLocalHost(host) && "local",
    ];
    expect(named.find(Boolean) || "public").toBe(kind);
  });
});
