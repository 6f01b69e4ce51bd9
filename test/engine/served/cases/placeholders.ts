import { type ServedCase, add, words, NOTHING, served } from "../served-case.ts";
import { each } from "../../judge/cases/rule-case.ts";

const LEFT = { "html.placeholder": "fail" } as const;

export const PLACEHOLDER_CASES: readonly ServedCase[] = [
  ...served(NOTHING, {
    ...each(
      [
        "<p>The price is undefined until we weigh the leaves.</p>",
        "<p><code>undefined</code></p>",
        "<pre>undefined</pre>",
        "<ul><li>undefined</li><li>NaN</li></ul>",
        "<table><tr><td>undefined</td></tr></table>",
        "<p>{{ price }}</p>",
        "<template><p>{{ price }} undefined</p></template>",
        "<p>Write <code>{{ price }}</code> where the price goes.</p>",
        '<textarea aria-label="Note">lorem ipsum dolor</textarea>',
      ],
      (markup) => [`what is no template's: ${markup}`, add(markup)],
    ),
  }),
  ...served(LEFT, {
    "a title that was not filled in": words("<title>Tea, by the leaf", "<title>{{ page.title }}"),
    "a description of undefined": words("Loose-leaf teas from small gardens.", "undefined"),
    "a heading that is an object": add("<h2>[object Object]</h2>"),
    "a paragraph without a value": add("<p>undefined</p>"),
    filler: add("<p>Lorem ipsum dolor sit amet, consectetur adipiscing elit.</p>"),
  }),
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
];
