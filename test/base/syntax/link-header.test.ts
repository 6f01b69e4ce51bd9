import { expect, it } from "vitest";
import { parseLinks } from "../../../server/base/syntax/http.ts";

const canonical = (url: string) => [{ url, relations: ["canonical"] }];

it.each<[why: string, value: string, links: ReturnType<typeof parseLinks>]>([
  ["nothing", "", []],
  ["no target", 'rel="canonical"', []],
  ["a target left open", "<https://a.example/", []],
  ["no relation", "</a>", [{ url: "/a", relations: [""] }]],
  ["an anchor, which is another page", '</a>; rel="canonical"; anchor="#b"', []],
  ["a quoted relation", '<https://a.example/>; rel="canonical"', canonical("https://a.example/")],
  ["a bare one, in capitals", "< /a >;REL=Canonical", canonical("/a")],
  ["the first of two relations", "</a>; rel=canonical; rel=next", canonical("/a")],
  [
    "several relations in one",
    '</a>; rel="next canonical"',
    [{ url: "/a", relations: ["next", "canonical"] }],
  ],
  ["a comma and a semicolon in a target", "</a,b;c>; rel=canonical", canonical("/a,b;c")],
  ["quotes in a quoted value", '</a>; title="\\"; rel=next"; rel=canonical', canonical("/a")],
  [
    "a second link",
    '</a.css>; rel=preload; as=style, </b>; rel="canonical"',
    [{ url: "/a.css", relations: ["preload"] }, ...canonical("/b")],
  ],
])("%s", (_why, value, links) => {
  expect(parseLinks(value)).toEqual(links);
});
