import { describe, expect, it } from "vitest";
import {
  findTemplateTitle,
  isGenericTitle,
} from "../../../server/engine/judge/facts/template-titles.ts";

const find = (title: string, host = "teahouse.com") => findTemplateTitle(title, host)?.product;

describe("a template's title", () => {
  it.each([
    ["Home | Gatsby Default Starter", "Gatsby"],
    ["Page two | Gatsby Default Starter", "Gatsby"],
    ["Album example · Bootstrap v5.3", "Bootstrap"],
    ["Starter Template · Bootstrap", "Bootstrap"],
    ["Hello, World!", "Bootstrap"],
    ["Index - Medilab Bootstrap Template", "BootstrapMade"],
    ["Hyperspace by HTML5 UP", "HTML5 UP"],
    ["Home | Laravel", "Laravel"],
    ["Tea – Just another WordPress site", "WordPress"],
    ["Privacy Policy - WebApplication1", "ASP.NET Core"],
    ["flutter_application_1", "Flutter"],
    ["Tauri + React + Typescript", "Tauri"],
    ["My Site 1 | Home", "website builder"],
    ["Contact – My Store", "Shopify"],
    ["Guides | Example | My Docs", "Starlight"],
    ["My Docs", "MkDocs"],
    ["vite-project", "Vite"],
  ])("%s", (title, product) => {
    expect(find(title)).toBe(product);
  });

  it.each([
    ["How to remove “Just another WordPress site”"],
    ["Medilab Bootstrap Template"],
    ["Ghost | Band"],
    ["Laravel - Tag - Ann"],
    ["My Sites"],
    ["My Store | Teahouse Leeds"],
    ["My Docs - Acme"],
    ["Home | Teahouse"],
    ["Home | Laravel", "laravel.com"],
    ["VitePress", "vitepress.dev"],
    ["Starter Template · Bootstrap v5.3", "getbootstrap.com"],
    ["Hyperspace by HTML5 UP", "html5up.net"],
    ["Express | Home", "express.com"],
    ["", "teahouse.com"],
    [" | ".repeat(90)],
  ])("not %s", (...[title, host]: [title: string, host?: string]) => {
    expect(find(title, host)).toBeUndefined();
  });

  it("says nothing if each of its parts would suit any page", () => {
    expect(isGenericTitle("Home | Welcome", "tea.com")).toBe(true);
    expect(isGenericTitle("Home", "tea.com")).toBe(true);
    expect(isGenericTitle("Home | Tea", "tea.com")).toBe(false);
    expect(isGenericTitle("Home | Welcome", "home.co.uk")).toBe(false);
  });
});
