import table from "./stand-in-phrases.json" with { type: "json" };
import { findKnown, foldWords, type StandInKind, trimWords } from "./stand-ins.ts";

const PARTS = new Map([
  ["{host}", String.raw`[a-z0-9-]+(?:\.[a-z0-9-]+)+`],
  ["{domain}", String.raw`(?:domain(?: name)?|(?:nom de )?domaine|dominio|domein(?:naam)?)`],
  [
    "{site}",
    String.raw`(?:web ?site|web ?page|site(?: web| internet)?|page|web ?seite|seite|homepage|shop|store|boutique|sitio(?: web)?|pagina(?: web)?|sito(?: web)?)`,
  ],
  [
    "{page}",
    String.raw`(?:page|url|file|object|resource|document|content|address|web ?page|web ?site)`,
  ],
  [
    "{wanted}",
    String.raw`(?: you (?:requested|(?:are|were) (?:looking|searching) for|(?:have )?requested))?`,
  ],
]);

const FIXED_PHRASES = new Map(
  Object.entries(table.phrases).flatMap(([kind, phrases]) =>
    phrases.map((phrase) => [foldWords(phrase), kind as StandInKind] as const),
  ),
);

/** Matches at most MAX_PHRASE characters, because the patterns have many parts. */
const KINDS = Object.entries(table.patterns).map(([kind, phrases]) => {
  const source = phrases.join("|").replaceAll(/\{[a-z]+\}/g, (name) => PARTS.get(name) ?? name);
  return [kind as StandInKind, new RegExp(`^(?:${source})$`)] as const;
});

const MAX_PHRASE = 160;
const INTERJECTION =
  /^(?:oops|oups|ups|whoops|hoppla|sorry|desolee?|uh[- ]oh|error|erreur|fehler|congratulations|felicitations|gluckwunsch)[^a-z0-9]+/;
const NUMBER_BEFORE =
  /^(?:(?:http|error|erreur|fehler|errore|erro|code|status) ){0,3}404(?: (?:error|erreur|fehler))?(?![a-z0-9])[^a-z0-9]*/;
const NUMBER_AFTER = /[^a-z0-9]{1,5}(?:error |erreur )?404$/;

export function findKind(words: string): StandInKind | undefined {
  if (/\?\s?$/.test(words)) return undefined;
  const phrase = trimWords(foldWords(words.slice(0, MAX_PHRASE)));
  const rest = phrase.replace(NUMBER_BEFORE, "").replace(NUMBER_AFTER, "");
  if (rest === "" && phrase !== "") return "missing";
  const bare = rest.replace(INTERJECTION, "");
  const known = findKnown("name", phrase)?.kind;
  if (known !== undefined && known !== "template") return known;
  return (
    FIXED_PHRASES.get(rest) ??
    FIXED_PHRASES.get(bare) ??
    KINDS.find(([, pattern]) => pattern.test(rest) || pattern.test(bare))?.[0]
  );
}

export function splitTitle(title: string): string[] {
  return title.split(/\s[-–—|·•»:]\s|[|｜]/);
}

export function splitSentences(text: string): string[] {
  return text.split(/(?<=[.!?…])\s|\s[-–—|·•]\s|\n/);
}
