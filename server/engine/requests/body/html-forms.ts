import { BoundedList } from "../../evidence/bounded-list.ts";
import type { Form } from "../../evidence/html.ts";
import type { Tag } from "./html-tokens.ts";

const SUBMITTERS = /^(?:submit|image)$/i;

interface OpenForm {
  readonly form: Form;
  /** A submit button has formmethod="post", which overrides the method of the form. */
  isPosted: boolean;
}

/** Nested forms do not count (HTML, 13.2.6.4.7). */
export class Forms {
  readonly #kept = new BoundedList<Form>(8192, 10, 20);
  readonly #locate: (action: string) => string;
  #open: OpenForm | null = null;

  constructor(locate: (action: string) => string) {
    this.#locate = locate;
  }

  enter(tag: Tag): void {
    if (tag.name === "form") this.#openForm(tag);
    else if (tag.name === "input" || tag.name === "button") this.#readControl(tag);
  }

  leave(name: string): void {
    if (name !== "form" || !this.#open) return;
    const { form, isPosted } = this.#open;
    this.#open = null;
    this.#keep(isPosted && form.method !== "dialog" ? { ...form, method: "post" } : form);
  }

  end(): Form[] {
    this.leave("form");
    return this.#kept.items;
  }

  #openForm({ name, line, end, attributes }: Tag): void {
    if (this.#open) return;
    const form: Form = {
      url: this.#locate(attributes.get("action") ?? ""),
      line,
      tag: name,
      method: readMethod(attributes.get("method")),
      hasPassword: false,
      hasHandler: attributes.has("onsubmit"),
      hasAction: attributes.has("action"),
      offset: end,
    };
    this.#open = { form, isPosted: false };
  }

  #readControl({ name, line, end, attributes }: Tag): void {
    if (!this.#open) return;
    const { form } = this.#open;
    const type = (attributes.get("type") ?? (name === "button" ? "submit" : "text")).trim();
    if (name === "input" && /^password$/i.test(type) && attributes.get("name"))
      form.hasPassword = true;
    if (!SUBMITTERS.test(type)) return;
    const action = attributes.get("formaction");
    const method = readMethod(attributes.get("formmethod"));
    if (method === "post") this.#open.isPosted = true;
    if (action !== undefined)
      this.#keep({
        ...form,
        url: this.#locate(action),
        line,
        tag: name,
        method: method ?? form.method,
        hasPassword: false,
        hasAction: true,
        offset: end,
      });
  }

  #keep(form: Form): void {
    this.#kept.offer(() => form, form.hasPassword || /^http:/i.test(form.url));
  }
}

function readMethod(method: string | undefined): Form["method"] {
  const name = method?.trim().toLowerCase();
  return name === "get" || name === "post" || name === "dialog" ? name : null;
}
