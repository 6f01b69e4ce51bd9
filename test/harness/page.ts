import { DomUtils, parseDocument } from "htmlparser2";

type Node = ReturnType<typeof parseDocument>["children"][number];
type Found = Extract<Node, { attribs: unknown }>;

export interface PageField {
  readonly type: string;
  /** The value that the field shows. The form sends it unless the user changes it. */
  readonly value: string;
  /** The values of a `select`. */
  readonly options: readonly string[];
  readonly isInvalid: boolean;
  /** The error message, as a screen reader reads it. */
  readonly problem: string | undefined;
}

export interface PageForm {
  readonly action: string;
  readonly method: string;
  readonly fields: Readonly<Record<string, PageField>>;
  readonly buttons: readonly string[];
  /** The values that the form sends if the user types nothing and presses this button. */
  sent(button?: string): Record<string, string>;
}

export interface Page {
  readonly title: string;
  readonly h1: string;
  readonly text: string;
  readonly forms: readonly PageForm[];
  readonly buttons: readonly string[];
  readonly links: Readonly<Record<string, string>>;
  readonly rows: readonly (readonly string[])[];
  /** The error messages of the fields, by the fields' names. */
  readonly problems: Readonly<Record<string, string>>;
  /** The form that is sent to a path. Throws if there is none. */
  form(action: string): PageForm;
  /** The form of a button. Throws if there is none, or several. */
  formOf(button: string): PageForm;
}

const attribute = (element: Found, name: string) => element.attribs[name];
const all = (within: Node | readonly Node[], ...names: string[]) =>
  DomUtils.getElements(
    { tag_name: (name) => names.includes(name) },
    [within].flat(),
    true,
  ) as Found[];
const oneLine = (text: string) => text.replace(/\s+/g, " ").trim();

const TEXT = 3;
const SILENT = new Set(["script", "style", "svg"]);
const INLINE = new Set("a abbr b button code em small span strong time wbr".split(" "));

/** Returns the visible text, without that of scripts, styles and pictures. */
function textOf(node: Node): string {
  if ("attribs" in node) {
    if (SILENT.has(node.name)) return "";
    const text = node.children.map(textOf).join("");
    return INLINE.has(node.name) ? text : ` ${text} `;
  }
  return "data" in node && node.nodeType === TEXT ? node.data : "";
}

const byId = (id: string, document: readonly Node[]) =>
  DomUtils.getElements({ id }, [...document], true)[0] as Found | undefined;

function nameOf(element: Found, document: readonly Node[]): string {
  const ids = attribute(element, "aria-labelledby")?.split(" ") ?? [];
  const referred = ids.map((id) => byId(id, document));
  if (referred.length > 0)
    return oneLine(referred.map((one) => (one ? textOf(one) : "")).join(" "));
  return oneLine(attribute(element, "aria-label") ?? textOf(element));
}

function valueOf(element: Found): string {
  if (element.name === "textarea") return DomUtils.textContent(element).replace(/^\n/, "");
  if (element.name !== "select") return attribute(element, "value") ?? "";
  const options = all(element.children, "option");
  const chosen =
    options.find((option) => attribute(option, "selected") !== undefined) ?? options[0];
  return chosen ? (attribute(chosen, "value") ?? oneLine(textOf(chosen))) : "";
}

function readField(element: Found, document: readonly Node[]): PageField {
  const ids = attribute(element, "aria-describedby")?.split(" ") ?? [];
  const isInvalid = attribute(element, "aria-invalid") === "true";
  const [first] = ids.map((id) => byId(id, document));
  return {
    type: element.name === "input" ? (attribute(element, "type") ?? "text") : element.name,
    value: valueOf(element),
    options: all(element.children, "option").map(
      (one) => attribute(one, "value") ?? oneLine(textOf(one)),
    ),
    isInvalid,
    problem: isInvalid && first ? oneLine(textOf(first)) : undefined,
  };
}

function isSent(element: Found): boolean {
  const type = attribute(element, "type");
  if (attribute(element, "disabled") !== undefined) return false;
  return !["checkbox", "radio"].includes(type ?? "") || attribute(element, "checked") !== undefined;
}

function readForm(element: Found, document: readonly Node[], path: string): PageForm {
  const controls = all(element.children, "input", "textarea", "select").filter((one) =>
    attribute(one, "name"),
  );
  const buttons = all(element.children, "button");
  const entries = (from: Found[]) =>
    from.map((one) => [attribute(one, "name") ?? "", one] as const);
  return {
    action: (attribute(element, "action") ?? path).replace(/#.*/, ""),
    method: attribute(element, "method") ?? "get",
    fields: Object.fromEntries(
      entries(controls).map(([name, one]) => [name, readField(one, document)]),
    ),
    buttons: buttons.map((one) => nameOf(one, document)),
    sent(button) {
      const pressed = buttons.filter(
        (one) => attribute(one, "name") && nameOf(one, document) === button,
      );
      return Object.fromEntries(
        entries([...controls.filter(isSent), ...pressed]).map(([name, one]) => [
          name,
          valueOf(one) || (attribute(one, "type") === "checkbox" ? "on" : ""),
        ]),
      );
    },
  };
}

/** Reads a page as a user sees it, or as a screen reader reads it. */
export function readPage(html: string, path: string): Page {
  const { children: document } = parseDocument(html);
  const main = all(document, "main");
  const forms = all(document, "form").map((form) => readForm(form, document, path));
  const [title, h1] = [all(document, "title")[0], all(main, "h1")[0]];
  const fields = forms.flatMap((form) => Object.entries(form.fields));
  const one = (of: string, found: PageForm[]): PageForm => {
    const [form] = found;
    if (form === undefined || found.length > 1)
      throw new Error(`${found.length} forms ${of} on ${path}: ${JSON.stringify(forms)}`);
    return form;
  };
  return {
    title: title ? oneLine(textOf(title)) : "",
    h1: h1 ? oneLine(textOf(h1)) : "",
    text: oneLine(main.map(textOf).join(" ")),
    forms,
    buttons: all(main, "button").map((button) => nameOf(button, document)),
    links: Object.fromEntries(
      all(main, "a").map((link) => [nameOf(link, document), attribute(link, "href") ?? ""]),
    ),
    rows: all(main, "tr").map((row) =>
      all(row.children, "th", "td").map((cell) => oneLine(textOf(cell))),
    ),
    problems: Object.fromEntries(
      fields.flatMap(([name, { problem }]) => (problem === undefined ? [] : [[name, problem]])),
    ),
    form: (action) =>
      one(
        `to ${action}`,
        forms.filter((form) => form.action === action),
      ),
    formOf: (button) =>
      one(
        `with “${button}”`,
        forms.filter((form) => form.buttons.includes(button)),
      ),
  };
}
