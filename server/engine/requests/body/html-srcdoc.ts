import type { Slice } from "../../net/slice.ts";
import { Depth } from "./depth.ts";
import { WANTED } from "./html-elements.ts";
import type { References } from "./html-references.ts";
import { referencesOf } from "./html-resources.ts";
import { readTokens, type Tag } from "./html-tokens.ts";
import { findPlainReferences } from "./style-text.ts";

const INERT = new Set(["template", "noscript"]);

/** Adds what the document in a frame's srcdoc loads over http, which browsers block or upgrade as in the page itself. */
export async function readSrcdoc(frame: Tag, references: References, slice: Slice): Promise<void> {
  const inert = new Depth(INERT);
  let style: Tag | undefined;
  const add = (tag: Tag, all: ReturnType<typeof referencesOf>): void => {
    const plain = inert.isInside ? [] : all.filter(({ url }) => /^\s*http:/i.test(url));
    for (const reference of plain)
      references.addResource(
        { ...reference, isSample: false },
        { ...tag, line: frame.line, end: frame.end },
      );
  };
  const handler = {
    onOpen(tag: Tag): void {
      inert.enter(tag.name);
      style = tag.name === "style" ? tag : undefined;
      const ofStyle = findPlainReferences(tag.attributes.get("style") ?? "");
      add(tag, [...referencesOf(tag, false), ...ofStyle]);
    },
    onClose(name: string): void {
      inert.leave(name);
      style = undefined;
    },
    onText(text: string): void {
      if (style) add(style, findPlainReferences(text));
    },
    onComment() {},
    onDoctype() {},
  };
  await readTokens(frame.attributes.get("srcdoc") ?? "", WANTED, handler, slice);
}
