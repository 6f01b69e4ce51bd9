import { expect, it } from "vitest";
import { References } from "../../../server/engine/requests/body/html-references.ts";
import { readHtml } from "../../../server/engine/requests/body/html.ts";
import { findBanner } from "../../../server/engine/requests/body/page-texts.ts";

async function bannerOf(page: string): Promise<string | null> {
  const references = new References(new URL("https://example.com/none"), () => "public");
  return findBanner((await readHtml(page, references)).own);
}

it.each([
  ["<hr><center>nginx/1.18.0 (Ubuntu)</center>", "nginx/1.18.0"],
  ["<hr><center>openresty/1.21.4.1</center>", "openresty/1.21.4.1"],
  ['<hr class="line" /><h3>Apache Tomcat/9.0.37</h3>', "Apache Tomcat/9.0.37"],
  ["<h3>JBoss Web/7.0.13.Final</h3>", "JBoss Web/7.0.13.Final"],
  [
    "<h3>GlassFish Server Open Source Edition  4.1.1 </h3>",
    "GlassFish Server Open Source Edition 4.1.1",
  ],
  ["<address>Apache/2.4.41 (Ubuntu) Server at tea.example Port 443</address>", "Apache/2.4.41"],
  [
    '<hr><a href="https://eclipse.org/jetty">Powered by Jetty:// 9.4.43.v20210629</a>',
    "Jetty:// 9.4.43.v20210629",
  ],
  ["<ADDRESS>\n WEBrick/1.4.2 (Ruby/2.5.1/2018-03-29) at\n tea.example:443", "WEBrick/1.4.2"],
])("%s reveals its version", async (page, banner) => {
  expect(await bannerOf(page)).toBe(banner);
});

it.each([
  "<hr><center>nginx</center>",
  "<h3>Apache Tomcat</h3>",
  "<address>Apache Server at tea.example Port 443</address>",
  "<h1>No such page</h1><p>Read about nginx/1.18.0 instead.",
  "<!-- <center>nginx/1.18.0</center> --><pre>&lt;center>nginx/1.18.0&lt;/center></pre>",
  `<h3>Apache Tomcat/9.0.37 is out</h3>${"<p>All that is new in it, and how to move to it.".repeat(30)}`,
  "<address>Tea Ltd, 12 Leaf Street, Leeds</address>",
])("%s reveals none", async (page) => {
  expect(await bannerOf(page)).toBeNull();
});
