import { say } from "../../../shared/report/words.ts";
import type { Language, Text } from "../../language.ts";
import { oneLine } from "../../syntax/one-line.ts";

/** Stands where there is no figure. */
export const DASH = "–";

const LONGEST_NAME = 100;
const LONGEST_ADDRESS = 100;

export function ProjectName({ name }: { name: string }) {
  return <>{oneLine(name, LONGEST_NAME)}</>;
}

/** An address, cut if it is long: a page has a hundred of them, and each may have 2,000 characters. */
export function Address({ url }: { url: string }) {
  return <>{oneLine(url, LONGEST_ADDRESS)}</>;
}

/** An address that leads there, unless it is cut. */
export function LinkedAddress({ url }: { url: string }) {
  if (url.length > LONGEST_ADDRESS) return <Address url={url} />;
  return <a href={url}>{oneLine(url, LONGEST_ADDRESS)}</a>;
}

/** A parameter of a request's query; empty if it has none, or several. */
export function textOf(query: unknown, name: string): string {
  const value = (query as Readonly<Record<string, unknown>>)[name];
  return typeof value === "string" ? value : "";
}

const START: Text = { fr: "Au début", en: "To the beginning" };
const NEXT: Text = { fr: "Suite", en: "Next" };

interface MoreProps {
  path: string;
  query: Readonly<Record<string, string>>;
  /** After which row this part of the list begins; empty for the beginning. */
  after: string;
  /** After which row the next part begins. */
  next: string | undefined;
  language: Language;
}

/** The links to the beginning of a list and to its next part. */
export function More({ path, query, after, next, language }: MoreProps) {
  if (after === "" && next === undefined) return null;
  const hrefOf = (parameters: Readonly<Record<string, string>>) => {
    const search = String(new URLSearchParams({ ...query, ...parameters }));
    return search === "" ? path : `${path}?${search}`;
  };
  return (
    <p class="more">
      {after !== "" && <a href={hrefOf({})}>{say(START, language)}</a>}
      {next !== undefined && (
        <a rel="next" href={hrefOf({ after: next })}>
          {say(NEXT, language)}
        </a>
      )}
    </p>
  );
}
