import type { SiteEdit } from "../good-site.ts";
import type { ServedCase } from "../served-case.ts";

const words = (old: string, put: string): SiteEdit => ({ words: { [old]: put } });
const add = (markup: string): SiteEdit => words("<h1>", `${markup}<h1>`);
const LEFT = { "html.placeholder": "fail" } as const;

export const PLACEHOLDER_CASES: readonly ServedCase[] = [
  [
    "a title that was not filled in",
    words("<title>Tea, by the leaf", "<title>{{ page.title }}"),
    LEFT,
  ],
  ["a description of undefined", words("Loose-leaf teas from small gardens.", "undefined"), LEFT],
  [
    "an icon of a build that did not run",
    add('<link rel="icon" href="%PUBLIC_URL%/favicon.ico">'),
    { ...LEFT, "asset.broken": "partial icons" },
  ],
  [
    "a link to undefined",
    add('<a href="/undefined">Our teas</a>'),
    { ...LEFT, "link.internal": "fail" },
  ],
  ["a heading that is an object", add("<h2>[object Object]</h2>"), LEFT],
  ["a paragraph without a value", add("<p>undefined</p>"), LEFT],
  ["filler", add("<p>Lorem ipsum dolor sit amet, consectetur adipiscing elit.</p>"), LEFT],
  ...[
    "<p>The price is undefined until we weigh the leaves.</p>",
    "<p><code>undefined</code></p>",
    "<pre>undefined</pre>",
    "<ul><li>undefined</li><li>NaN</li></ul>",
    "<table><tr><td>undefined</td></tr></table>",
    "<p>{{ price }}</p>",
    "<template><p>{{ price }} undefined</p></template>",
    "<p>Write <code>{{ price }}</code> where the price goes.</p>",
    '<textarea aria-label="Note">lorem ipsum dolor</textarea>',
  ].map((markup): ServedCase => [`what is no template's: ${markup}`, add(markup), {}]),
];
