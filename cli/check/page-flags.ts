import { existsSync } from "node:fs";
import type { Command } from "commander";
import type { Language } from "../../shared/language.ts";
import { describeCount, say } from "../../shared/report/words.ts";
import { filePath, wholeNumber } from "../terminal/command.ts";
import { usageError, ValueError } from "../terminal/errors.ts";
import { countOf } from "../terminal/words.ts";
import { completeUrl } from "./urls.ts";
import { findOrigin, isUrl } from "../../shared/url.ts";

export interface PageFlags {
  readonly urls?: string;
  readonly from?: string;
  /** The stable URL under which the page is reported. */
  readonly as?: string;
  readonly preview?: true;
  readonly waitForReady?: number;
  /** The file's gate applies. Its pages are checked if no URL was typed. */
  readonly config?: string;
  /** The origin to check instead of the file's own site. */
  readonly site?: string;
  readonly limit?: number;
}

function readStableUrl(text: string): string {
  if (isUrl(text) && new URL(text).protocol === "https:") return text;
  throw new ValueError({
    fr: "Indiquez une URL https, par exemple https://example.com/",
    en: "Use an https URL, such as https://example.com/",
  });
}

function readOrigin(text: string): string {
  const origin = findOrigin(text);
  if (origin !== undefined) return origin;
  throw new ValueError({
    fr: "Indiquez une origine, par exemple https://example.com ; si elle vient d'une variable, vérifiez que celle-ci est définie",
    en: "Use an origin, such as https://example.com; if it comes from a variable, check that it is set",
  });
}

const HELP = {
  urls: {
    fr: "d'autres URL, une par ligne ; - lit stdin",
    en: "more URLs, one per line; - reads stdin",
  },
  from: {
    fr: "afficher un résultat enregistré, sans requête ; - lit stdin",
    en: "show a saved result offline; - reads stdin",
  },
  as: {
    fr: "l'URL stable de la page dans les rapports",
    en: "the stable URL of the page in reports",
  },
  preview: {
    fr: "la page est un aperçu, ou n'est volontairement pas indexée",
    en: "the page is a preview, or is noindex on purpose",
  },
  waitForReady: {
    fr: "attendre d'abord la page, pendant ce délai au plus",
    en: "first wait for the page, at most this long",
  },
  config: {
    fr: "la configuration (sans URL : shipscore.json)",
    en: "the settings file (without a URL: shipscore.json)",
  },
  site: {
    fr: "vérifier les pages du fichier à cette origine",
    en: "check the file's pages at this origin",
  },
  limit: {
    fr: "nombre maximal de pages (fichier : 100)",
    en: "maximum number of pages (for a file: 100)",
  },
};

export function addPageFlags(command: Command, language: Language): Command {
  return command
    .argument("[url...]")
    .optionsGroup("Pages:")
    .option("--urls <file>", say(HELP.urls, language))
    .option("--from <file>", say(HELP.from, language), filePath)
    .option("--as <url>", say(HELP.as, language), readStableUrl)
    .option("--preview", say(HELP.preview, language))
    .option("--wait-for-ready <seconds>", say(HELP.waitForReady, language), wholeNumber(1, 3600))
    .option("--config <file>", say(HELP.config, language), filePath)
    .option("--site <origin>", say(HELP.site, language), readOrigin)
    .option("--limit <n>", say(HELP.limit, language), wholeNumber(0, 1_000_000));
}

const ONLY_WHEN_SENT = ["urls", "preview", "waitForReady", "project", "site", "limit"] as const;

type SentFlags = PageFlags & { readonly project?: string; readonly baseline?: string };

function refuseTwoReaders(flags: SentFlags): void {
  const [one, other] = (["urls", "from", "baseline"] as const).filter(
    (name) => flags[name] === "-",
  );
  if (other !== undefined)
    throw usageError(
      {
        fr: `--${one} et --${other} lisent tous deux stdin`,
        en: `--${one} and --${other} both read stdin`,
      },
      { fr: "Indiquez un fichier pour l'un des deux", en: "Use a file for one of them" },
    );
}

function refuseWithFrom(typed: readonly string[], flags: SentFlags): void {
  if (typed.length > 0)
    throw usageError(
      { fr: "--from ne s'utilise pas avec une URL", en: "--from cannot be used with a URL" },
      {
        fr: "Retirez l'URL, ou bien --from pour la vérifier maintenant",
        en: "Leave out the URL, or leave out --from to check the URL now",
      },
    );
  const idle = ONLY_WHEN_SENT.find((name) => flags[name] !== undefined);
  if (idle === undefined) return;
  const flag = `--${idle.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
  throw usageError(
    {
      fr: `${flag} est sans effet avec --from, qui n'envoie rien`,
      en: `${flag} has no effect with --from, which sends nothing`,
    },
    { fr: "Retirez l'une des deux options", en: "Leave one of them out" },
  );
}

export function isListAsked(typed: readonly string[], { urls }: PageFlags): boolean {
  return urls !== undefined || typed.length > 1;
}

export function checkStableUrl({ as }: PageFlags, count: number): void {
  if (as !== undefined && count > 1)
    throw usageError(
      {
        fr: `--as désigne une seule page, et il y en a ${count} à vérifier`,
        en: `--as names one page, but there are ${count} to check`,
      },
      {
        fr: "Vérifiez une seule URL, ou retirez --as",
        en: "Check one URL, or leave --as out",
      },
    );
}

/** The file may come from somebody else, and each check counts against the quota. */
const DEFAULT_LIMIT = 100;

export function checkCount({ limit }: PageFlags, count: number, source: string): void {
  const pages = { fr: describeCount(count, "fr"), en: describeCount(count, "en") };
  if (limit === undefined && count > DEFAULT_LIMIT)
    throw usageError(
      {
        fr: `${source} entraîne ${pages.fr} vérifications, et sans --limit il y en a ${DEFAULT_LIMIT} au plus`,
        en: `${source} needs ${pages.en} checks, and without --limit the maximum is ${DEFAULT_LIMIT}`,
      },
      {
        fr: `Ajoutez --limit N, par exemple --limit ${count} pour toutes les pages`,
        en: `Add --limit N, such as --limit ${count} for all of them`,
      },
    );
  if (limit !== undefined && count > limit) {
    const counted = countOf(count, "page");
    throw usageError(
      {
        fr: `--limit ${limit} est inférieur au nombre de pages à vérifier (${counted.fr})`,
        en: `--limit ${limit} is less than the ${counted.en} to check`,
      },
      {
        fr: `Indiquez --limit ${count} ou plus, ou moins de pages`,
        en: `Use --limit ${count} or more, or fewer pages`,
      },
    );
  }
}

export const CONFIG_FILE = "shipscore.json";

export const hasConfigFile = (): boolean => existsSync(CONFIG_FILE);

export function areNoneTyped(typed: readonly string[], { urls, from }: PageFlags): boolean {
  return typed.length === 0 && urls === undefined && from === undefined;
}

export function checkPageFlags(typed: readonly string[], flags: SentFlags): void {
  refuseTwoReaders(flags);
  if (flags.from !== undefined) return refuseWithFrom(typed, flags);
  if (areNoneTyped(typed, flags))
    throw usageError(
      {
        fr: "aucune URL à vérifier, et pas de shipscore.json dans ce dossier",
        en: "there is no URL to check, and no shipscore.json in this folder",
      },
      {
        fr: "Indiquez une ou plusieurs URL, ou --urls FICHIER, ou lancez « shipscore init »",
        en: "Add one or more URLs, or --urls FILE, or run 'shipscore init'",
      },
    );
  const isLimitIdle = flags.limit !== undefined && flags.urls === undefined;
  const idle = flags.site === undefined ? isLimitIdle && "--limit" : "--site";
  if (idle)
    throw usageError(
      {
        fr: `${idle} concerne les pages d'un fichier`,
        en: `${idle} applies only to the pages of a file`,
      },
      { fr: "Retirez l'URL, ou cette option", en: "Leave out the URL, or the flag" },
    );
  checkStableUrl(flags, new Set(typed.map(completeUrl)).size);
}
