import { Button } from "./components.tsx";
import { randomUUID } from "node:crypto";
import type { Text } from "../../../shared/language.ts";
import { AddressField } from "./fields.tsx";
import { T, useSay } from "./reader.tsx";

/** Replaces the values of a URL's parameters, which are not stored. */
export const MASK = "***";
const LONGEST_NAME = 100;

export const CHECK_NOW: Text = { fr: "Vérifier maintenant", en: "Check now" };
export const CHECK_AGAIN: Text = { fr: "Vérifier à nouveau", en: "Check again" };

/** A form that is sent twice starts one check. */
export function FormKey() {
  return <input type="hidden" name="key" value={randomUUID()} autocomplete="off" />;
}

const nameOf = (text: string, url: string) => `${text} ${url.slice(0, LONGEST_NAME)}`;
const ANOTHER: Text = { fr: "Vérifier une autre page", en: "Check another page" };

export function CheckAnother() {
  return (
    <form class="no-print" method="post" action="/checks">
      <AddressField name="url" id="another" label={ANOTHER} placeholder="example.com">
        <Button label={CHECK_NOW} tone="second" />
      </AddressField>
      <FormKey />
    </form>
  );
}

interface CheckNowProps {
  /** With masked values, the button leads to the form, where they must be entered again. */
  url: string;
  label: Text;
  isPreview?: boolean;
}

const ROWS_FORM = "check";

export function CheckRowsForm() {
  return (
    <form id={ROWS_FORM} method="post" action="/checks">
      <FormKey />
    </form>
  );
}

/** Needs `CheckRowsForm` on the page. */
export function CheckRow({ url, label }: Omit<CheckNowProps, "isPreview">) {
  const text = useSay()(label);
  return (
    <button
      form={ROWS_FORM}
      name="url"
      value={url}
      class="second no-print"
      aria-label={nameOf(text, url)}
    >
      {text}
    </button>
  );
}

export function CheckNow({ url, label, isPreview = false }: CheckNowProps) {
  const text = useSay()(label);
  const name = nameOf(text, url);
  if (url.includes(MASK))
    return (
      <a class="button second" href="/checks" aria-label={name}>
        {text}
      </a>
    );
  return (
    <form method="post" action="/checks">
      <input type="hidden" name="url" value={url} />
      {isPreview && <input type="hidden" name="preview" value="on" />}
      <FormKey />
      <Button label={label} name={name} tone="second" />
    </form>
  );
}

const WATCH: Text = { fr: "Surveiller cette page", en: "Watch this page" };

export function WatchLink({ url }: { url: string }) {
  const [address = ""] = url.includes(MASK) ? url.split("?", 1) : [url];
  return (
    <a class="button second" href={`/projects/new?url=${encodeURIComponent(address)}`}>
      <T text={WATCH} />
    </a>
  );
}
