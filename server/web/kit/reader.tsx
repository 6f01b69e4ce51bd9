import { createContext } from "preact";
import { useContext } from "preact/hooks";
import { say } from "../../../shared/report/words.ts";
import type { Language, Text } from "../../../shared/language.ts";
import { NO_INPUT, type FormInput } from "./forms.ts";

export interface Person {
  readonly email: string;
  /** In all projects that the user can see. */
  readonly openIncidents: number;
}

export interface Reader {
  readonly language: Language;
  /** Undefined for a visitor. */
  readonly person?: Person | undefined;
  /** A name of the IANA database; UTC if there is none. */
  readonly timeZone?: string | null;
  /** Path and query, to which the language switch returns. Undefined for an error. */
  readonly path?: string | undefined;
  /** The database's time, where it is known. */
  readonly now?: Date;
  readonly typed?: FormInput;
}

/** A string is in the page's language. */
export type Wording = Text | string;

export interface PageReader extends Reader {
  readonly now: Date;
  readonly typed: FormInput;
  readonly say: (wording: Wording) => string;
}

export const pageReaderOf = (reader: Reader): PageReader => ({
  now: new Date(),
  typed: NO_INPUT,
  ...reader,
  say: (wording) => (typeof wording === "string" ? wording : say(wording, reader.language)),
});

export const ReaderContext = createContext(pageReaderOf({ language: "en", now: new Date(0) }));

export const useReader = (): PageReader => useContext(ReaderContext);
export const useSay = () => useReader().say;

export function T({ text }: { text: Wording | false | null | undefined }) {
  const sayIt = useSay();
  return <>{text ? sayIt(text) : null}</>;
}
