/** Well-formed markup. Only this module makes it, so that nothing in it is left to escape. */
export type Xml = string & { readonly isXml: unique symbol };

export type Attributes = Readonly<Record<string, string | number>>;

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
};

/** The text, escaped. It must be clean: XML has no way to hold control characters. */
export function xmlText(text: string): Xml {
  return text.replace(/[&<>"]/g, (character) => ENTITIES[character] ?? character) as Xml;
}

/** An element and its content: child elements on lines of their own, or text as it is. */
export function element(
  name: string,
  attributes: Attributes,
  content: Xml | readonly Xml[] = [],
): Xml {
  const pairs = Object.entries(attributes).map(
    ([key, value]) => ` ${key}="${xmlText(`${value}`)}"`,
  );
  const start = `<${name}${pairs.join("")}`;
  const inner =
    typeof content === "string" ? content : content.map((child) => `\n${child}`).join("");
  if (inner === "") return `${start}/>` as Xml;
  return `${start}>${inner}${typeof content === "string" ? "" : "\n"}</${name}>` as Xml;
}
