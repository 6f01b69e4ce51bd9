import { expect, test } from "vitest";
import { nameBrowser } from "../../server/web/kit/session/browser-name.ts";

const MAC =
  "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko)";

test.each([
  ["", undefined],
  ["", "Mozilla/5.0"],
  ["", `${"x".repeat(5000)} Firefox/128.0`],
  ["Firefox, Linux", "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0"],
  ["Firefox, Android", "Mozilla/5.0 (Android 14; Mobile; rv:128.0) Gecko/128.0 Firefox/128.0"],
  ["Chrome, macOS", `${MAC} Chrome/130.0.0.0 Safari/537.36`],
  ["Edge, macOS", `${MAC} Chrome/130.0.0.0 Safari/537.36 Edg/130.0.0.0`],
  ["Opera, macOS", `${MAC} Chrome/129.0.0.0 Safari/537.36 OPR/115.0.0.0`],
  [
    "Chrome, Windows",
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/130.0.0.0 Safari/537.36",
  ],
  [
    "Chrome, ChromeOS",
    "Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36",
  ],
  [
    "Samsung Internet, Android",
    "Mozilla/5.0 (Linux; Android 14; SAMSUNG SM-S918B) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/26.0 Chrome/122.0.0.0 Mobile Safari/537.36",
  ],
  [
    "Safari, iPhone",
    "Mozilla/5.0 (iPhone; CPU iPhone OS 17_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.6 Mobile/15E148 Safari/604.1",
  ],
  [
    "Chrome, iPad",
    "Mozilla/5.0 (iPad; CPU OS 17_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/130.0.0.0 Mobile/15E148 Safari/604.1",
  ],
  ["curl", "curl/8.5.0"],
])("a browser is %j: %s", (name, userAgent) => {
  expect(nameBrowser(userAgent)).toBe(name);
});
