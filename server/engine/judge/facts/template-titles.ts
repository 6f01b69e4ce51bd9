import table from "./stand-in-phrases.json" with { type: "json" };
import { splitTitle } from "./stand-in-words.ts";
import {
  findKnown,
  foldWords,
  isNameOfHost,
  nameOfHost,
  squeezeWords,
  type StandIn,
  trimWords,
} from "./stand-ins.ts";

const GENERIC_TITLES: ReadonlySet<string> = new Set(table.titles.map(foldWords));
/** Documentation names its templates by version: “Album example · Bootstrap v5.3”. */
const VERSION = /\sv\d[\d.]{0,10}$/;

const isGeneric = (words: string): boolean => GENERIC_TITLES.has(trimWords(foldWords(words)));

/** The parts of a title. It names the site if one of them is the name of its host. */
function partsOf(title: string, host: string): readonly string[] | undefined {
  const parts = [title, ...splitTitle(title)].map((part) => part.trim());
  return parts.some((part) => isNameOfHost(part, host)) ? undefined : parts.slice(1);
}

/** Whether each part of the title would suit any page: “Home | Welcome”. */
export function isGenericTitle(title: string, host: string): boolean {
  return partsOf(title, host)?.every((part) => part === "" || isGeneric(part)) ?? false;
}

/** The host of a product may add this many characters to its name, as in getbootstrap.com and gatsbyjs.com. */
const MAX_ADDED = 3;
/** A shorter name may occur in another name by chance. */
const MIN_NAME_LENGTH = 4;

/** The product's own site shows its templates. */
function isOfProduct({ product }: StandIn, host: string): boolean {
  const [own, name] = [nameOfHost(host), squeezeWords(product)];
  const isNamed = name.length >= MIN_NAME_LENGTH && own.includes(name);
  return isNamed && own.length - name.length <= MAX_ADDED;
}

/** Beside a word such as “Home”, the other part is the name of the site. */
function findNamed(parts: readonly string[]): StandIn | undefined {
  const [name, ...others] = parts.filter((words) => words !== "" && !isGeneric(words));
  if (name === undefined || others.length > 0) return undefined;
  const ending = findKnown("ending", name);
  if (parts.length === 1) return ending;
  return findKnown("title", name) ?? findKnown("site", name) ?? ending ?? findKnown("rest", name);
}

export function findTemplateTitle(title: string, host: string): StandIn | undefined {
  const parts = partsOf(title, host);
  if (!parts) return undefined;
  const found =
    findKnown("title", title.replace(VERSION, "")) ??
    parts.map((words) => findKnown("part", words)).find((known) => known !== undefined) ??
    (parts.length > 1 ? findKnown("site", parts.at(-1) ?? "") : undefined) ??
    findNamed(parts);
  return found && isOfProduct(found, host) ? undefined : found;
}
