import { Button } from "./components.tsx";
import { randomUUID } from "node:crypto";
import type { Text } from "../../../shared/language.ts";
import { AddressField } from "./fields.tsx";
import { T, useSay } from "./reader.tsx";

/** What stands for a value of an address that is not kept. */
export const MASK = "***";
const LONGEST_NAME = 100;

export const CHECK_NOW: Text = { fr: "Vérifier maintenant", en: "Check now" };
export const CHECK_AGAIN: Text = { fr: "Vérifier à nouveau", en: "Check again" };

/** Makes a form that is sent twice one check: each page gives its forms keys of their own. */
export function FormKey() {
  return <input type="hidden" name="key" value={randomUUID()} autocomplete="off" />;
}

const nameOf = (text: string, url: string) => `${text} ${url.slice(0, LONGEST_NAME)}`;
const ANOTHER: Text = { fr: "Vérifier une autre page", en: "Check another page" };

/** Checks another page, whose address is typed. */
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
  /** What is checked; an address that lacks masked values has to be typed again. */
  url: string;
  /** `CHECK_NOW`, or `CHECK_AGAIN` beside a result. */
  label: Text;
  isPreview?: boolean;
}

const ROWS_FORM = "check";

/** The one form of the buttons `CheckRow` of a page. */
export function CheckRowsForm() {
  return (
    <form id={ROWS_FORM} method="post" action="/checks">
      <FormKey />
    </form>
  );
}

/** As `CheckNow`, in a row of a page that has `CheckRowsForm`. */
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

/** A button that checks an address now, on the quota of whoever presses it, and leads to the check's page. */
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

/** Leads to a new project with the page's address, through the sign-in for a visitor. */
export function WatchLink({ url }: { url: string }) {
  const [address = ""] = url.includes(MASK) ? url.split("?", 1) : [url];
  return (
    <a class="button second" href={`/projects/new?url=${encodeURIComponent(address)}`}>
      <T text={WATCH} />
    </a>
  );
}
