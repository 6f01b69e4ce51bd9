import { expect, test } from "vitest";
import { nameBrowser } from "../../server/web/kit/session/browser-name.ts";

const kit = (system: string, rest: string, version = "537.36") =>
  `Mozilla/5.0 (${system}) AppleWebKit/${version} (KHTML, like Gecko) ${rest}`;
const MAC = "Macintosh; Intel Mac OS X 10_15_7";
const WINDOWS = "Windows NT 10.0; Win64; x64";
const IPHONE = "iPhone; CPU iPhone OS 17_6 like Mac OS X";
const IPAD = "iPad; CPU OS 17_6 like Mac OS X";
const GALAXY = "Linux; Android 14; SAMSUNG SM-S918B";
const CHROME = "Chrome/130.0.0.0 Safari/537.36";
const SAMSUNG = "SamsungBrowser/26.0 Chrome/122.0.0.0 Mobile Safari/537.36";

test.each([
  ["", undefined],
  ["", "Mozilla/5.0"],
  ["", `${"x".repeat(5000)} Firefox/128.0`],
  ["Firefox, Linux", "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0"],
  ["Firefox, Android", "Mozilla/5.0 (Android 14; Mobile; rv:128.0) Gecko/128.0 Firefox/128.0"],
  ["Chrome, macOS", kit(MAC, CHROME)],
  ["Edge, macOS", kit(MAC, `${CHROME} Edg/130.0.0.0`)],
  ["Opera, macOS", kit(MAC, "Chrome/129.0.0.0 Safari/537.36 OPR/115.0.0.0")],
  ["Chrome, Windows", kit(WINDOWS, `Headless${CHROME}`)],
  ["Chrome, ChromeOS", kit("X11; CrOS x86_64 14541.0.0", CHROME)],
  ["Samsung Internet, Android", kit(GALAXY, SAMSUNG)],
  ["Safari, iPhone", kit(IPHONE, "Version/17.6 Mobile/15E148 Safari/604.1", "605.1.15")],
  ["Chrome, iPad", kit(IPAD, "CriOS/130.0.0.0 Mobile/15E148 Safari/604.1", "605.1.15")],
  ["curl", "curl/8.5.0"],
])("a browser is %j: %s", (name, userAgent) => expect(nameBrowser(userAgent)).toBe(name));
