import { Acceptance, isExpired } from "../../shared/acceptance.ts";
import { usageError } from "../terminal/errors.ts";
import { maskTokens } from "../terminal/io.ts";
import type { ConfigFile } from "./config-file.ts";
import { checkAcceptance } from "./effective-settings.ts";
import { describeWanted, findSchema } from "./schema.ts";
import { keyOf, type Path, type Position } from "./positions.ts";

export function readNewAcceptance(
  { path, config }: ConfigFile,
  typed: Acceptance,
  now: Date,
): Acceptance {
  const [issue] = Acceptance.safeParse(typed).error?.issues ?? [];
  if (issue) {
    const [member = ""] = issue.path;
    const flag = member === "pages" ? "page" : String(member);
    const wanted = describeWanted(findSchema(Acceptance, issue.path));
    const value = JSON.stringify(typed[member as keyof Acceptance]);
    throw usageError(
      { fr: `--${flag} n'accepte pas ${value}`, en: `--${flag} cannot be ${value}` },
      { fr: `Indiquez ${wanted.fr}`, en: `Use ${wanted.en}` },
    );
  }
  checkAcceptance(typed, now);
  if (maskTokens(JSON.stringify(typed)) !== JSON.stringify(typed))
    throw usageError(
      { fr: "l'acceptation contient un jeton", en: "the acceptance contains a token" },
      {
        fr: "Retirez-le, et révoquez-le si d'autres l'ont vu",
        en: "Leave it out, and revoke it if others saw it",
      },
    );
  if (isExpired(typed, now))
    throw usageError(
      {
        fr: `--until ${typed.until} est une date passée`,
        en: `--until ${typed.until} is in the past`,
      },
      { fr: "Indiquez une date ultérieure", en: "Use a later date" },
    );
  const pagesOf = ({ pages = [] }: Acceptance) => pages.toSorted().join("\n");
  const same = config.accept?.find(
    (one) => one.rule === typed.rule && pagesOf(one) === pagesOf(typed),
  );
  if (same)
    throw usageError(
      {
        fr: `${path} contient déjà cette acceptation de ${typed.rule}, jusqu'au ${same.until}`,
        en: `${path} already accepts ${typed.rule} there, until ${same.until}`,
      },
      { fr: `Modifiez-la dans ${path}`, en: `Change it in ${path}` },
    );
  return typed;
}

const INDENT = /\n([ \t]+)"/;

/** `{ "rule": "hdr.csp", "until": "2027-03-31" }`, without spaces if the whole file is on one line. */
function formatItem(item: object, isCompact: boolean): string {
  const members = Object.entries(item).map(
    ([key, value]) => `${JSON.stringify(key)}: ${JSON.stringify(value)}`,
  );
  return isCompact ? JSON.stringify(item) : `{ ${members.join(", ")} }`;
}

/**
 * Formats the acceptance like the one before it. The rest of the text stays: indentation, order, line ends and byte order
 * mark.
 */
export function addAcceptance(file: ConfigFile, added: Acceptance): string {
  const { mark, text, positions, config } = file;
  const eol = text.includes("\r\n") ? "\r\n" : "\n";
  const unit = INDENT.exec(text)?.[1] ?? "  ";
  const isCompact = Object.keys(config).length > 0 && !text.trim().includes("\n");
  const positionOf = (path: Path) => positions.get(keyOf(path)) as Position;
  const spaceBefore = (offset: number) => {
    const before = text.slice(0, offset);
    return before.slice(before.trimEnd().length);
  };
  const put = (start: number, end: number, middle: string) =>
    mark + text.slice(0, start) + middle + text.slice(end);

  function formatList(indent: string): string {
    const item = formatItem(added, isCompact);
    return isCompact ? `[${item}]` : `[${eol}${indent}${unit}${item}${eol}${indent}]`;
  }

  const list = config.accept;
  if (list === undefined) {
    const names = Object.keys(config);
    const last = names.map((name) => positionOf([name])).toSorted((a, b) => b.end - a.end)[0];
    const root = positionOf([]);
    if (last === undefined)
      return put(root.start, root.end, `{${eol}${unit}"accept": ${formatList(unit)}${eol}}`);
    const space = spaceBefore(last.name);
    const member = isCompact ? '"accept":' : '"accept": ';
    return put(last.end, last.end, `,${space}${member}${formatList(indentOf(space, unit))}`);
  }
  if (list.length === 0) {
    const { name, start, end } = positionOf(["accept"]);
    return put(start, end, formatList(indentOf(spaceBefore(name), unit)));
  }
  const { start, end } = positionOf(["accept", list.length - 1]);
  const space = spaceBefore(start) || (isCompact ? "" : " ");
  const isSpread = text.slice(start, end).includes("\n");
  const item = isSpread
    ? JSON.stringify(added, undefined, unit).replaceAll("\n", eol + indentOf(space, ""))
    : formatItem(added, isCompact);
  return put(end, end, `,${space}${item}`);
}

const indentOf = (space: string, otherwise: string): string =>
  space.includes("\n") ? space.slice(space.lastIndexOf("\n") + 1) : otherwise;
