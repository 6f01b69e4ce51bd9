import { createContext } from "preact";
import { useContext } from "preact/hooks";
import { say } from "../../../shared/report/words.ts";
import type { Language, Text } from "../../../shared/language.ts";
import { NO_INPUT, type FormInput } from "./forms.ts";

/** The person who is signed in, as the frame of their pages shows them. */
export interface Person {
  readonly email: string;
  /** In all projects that they see. */
  readonly openIncidents: number;
}

/** Who reads a page, where and when. */
export interface Reader {
  readonly language: Language;
  /** Undefined for a visitor. */
  readonly person?: Person | undefined;
  /** A name of the IANA database; UTC if there is none. */
  readonly timeZone?: string | null;
  /** The path of the page, with its query: where the switch of the language leads back to. None for an error. */
  readonly path?: string | undefined;
  /** By the clock of the database, where it told. */
  readonly now?: Date;
  /** What was typed into a form of the page. */
  readonly typed?: FormInput;
}

/** A text in both languages, or one that is said already. */
export type Wording = Text | string;

/** Who reads the page that is being rendered. */
export interface PageReader extends Reader {
  readonly now: Date;
  readonly typed: FormInput;
  /** A text in the reader's language. */
  readonly say: (wording: Wording) => string;
}

export const pageReaderOf = (reader: Reader): PageReader => ({
  now: new Date(),
  typed: NO_INPUT,
  ...reader,
  say: (wording) => (typeof wording === "string" ? wording : say(wording, reader.language)),
});

/** The parts of a page need not be told who reads it. */
export const ReaderContext = createContext(pageReaderOf({ language: "en", now: new Date(0) }));

export const useReader = (): PageReader => useContext(ReaderContext);
export const useSay = () => useReader().say;

/** A text in the language of the page. */
export function T({ text }: { text: Wording | false | null | undefined }) {
  const sayIt = useSay();
  return <>{text ? sayIt(text) : null}</>;
}
