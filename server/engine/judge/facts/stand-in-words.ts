import inOtherLanguages from "./stand-in-phrases.json" with { type: "json" };
import { findKnown, foldWords, type StandInKind, trimWords } from "./stand-ins.ts";

const HOST = String.raw`[a-z0-9-]+(?:\.[a-z0-9-]+)+`;
const DOMAIN = `(?:domain(?: name)?|(?:nom de )?domaine|dominio|domein(?:naam)?)`;
const SITE = `(?:web ?site|web ?page|site(?: web| internet)?|page|web ?seite|seite|homepage|shop|store|boutique|sitio(?: web)?|pagina(?: web)?|sito(?: web)?)`;
const PAGE = `(?:page|url|file|object|resource|document|content|address|web ?page|web ?site)`;
const WANTED = `(?: you (?:requested|(?:are|were) (?:looking|searching) for|(?:have )?requested))?`;

/**
 * Whole phrases in English, French, German, Spanish, Italian, Portuguese and Dutch, in lower case and without accents. What is
 * said in one way alone, or in other languages, is in stand-in-phrases.json.
 */
const PHRASES: readonly (readonly [StandInKind, readonly string[]])[] = [
  [
    "missing",
    [
      "not found",
      `(?:the |this |that |your )?(?:requested )?${PAGE}${WANTED} (?:not|was not|is not|wasn't|isn't|could not be|couldn't be|cannot be|can't be) found`,
      `(?:the |this |that )?(?:requested )?${PAGE}${WANTED} (?:does not|doesn't|no longer|did not|didn't) exists?`,
      `(?:we (?:could not|couldn't|cannot|can't) find )(?:the |that |this |your )?${PAGE}${WANTED}`,
      `page (?:missing|unavailable|not available)`,
      `(?:la |cette )?(?:page|ressource|adresse)(?: demandee| recherchee| que vous (?:avez demandee|cherchez|recherchez|demandez))? (?:est |semble )?(?:introuvable|non trouvee|inexistante|n'existe (?:pas|plus)|n'a pas (?:ete trouvee|pu etre trouvee))`,
      `(?:contenu|site|fichier|document) (?:introuvable|non trouve)`,
      `(?:die |diese )?(?:angeforderte |gesuchte )?(?:seite|webseite|datei) (?:wurde |konnte )?(?:leider )?(?:nicht gefunden(?: werden)?|existiert (?:leider )?nicht(?: mehr)?)`,
      `nicht gefunden`,
      `(?:la |esta )?pagina(?: solicitada| que (?:buscas|busca))? (?:no (?:encontrada|existe|se (?:ha )?encontr(?:o|ado)|disponible))`,
      `(?:la )?pagina(?: richiesta| cercata)? (?:non (?:trovata|esiste|e stata trovata))`,
      `pagina nao (?:encontrada|existe)`,
      `(?:deze )?pagina (?:niet gevonden|bestaat niet)`,
      `there isn't a github pages site here`,
      `(?:the )?site (?:not found|was not found|isn't published|not published|not configured)`,
      `no such (?:app|bucket)|nosuchbucket|the specified bucket does not exist`,
      `(?:the )?deployment(?: could)? not (?:be )?found(?: on vercel)?|deployment_not_found`,
    ],
  ],
  [
    "broken",
    [
      `(?:http )?(?:error )?(?:5\\d\\d[: -]{1,3})?(?:internal server error|backend fetch failed|bad gateway|gateway time-?out|service (?:temporarily )?unavailable|web server is down|connection timed out|origin is unreachable|application error)(?: \\(5\\d\\d)?`,
      `(?:we're sorry,? but )?something went wrong(?: \\(5\\d\\d.{0,30})?`,
      `an error (?:has )?occurred while processing (?:your|this) request`,
      `5\\d\\d[: -]{1,3}server error|server error \\(5\\d\\d`,
      `(?:error )?403[: -]{1,3}(?:(?:access )?forbidden|access denied)`,
      `(?:erreur )?(?:5\\d\\d )?(?:erreur interne du serveur|service (?:temporairement )?indisponible)`,
      `error (?:5\\d\\d|establishing a database connection)`,
      `there has been a critical error on (?:this|your) web ?site`,
      `il y a eu une erreur critique sur (?:ce|votre) site`,
      `the website encountered an unexpected error`,
      `there has been an error processing your request|an error has happened during application run`,
      `erreur (?:5\\d\\d|lors de la connexion a la base de donnees)`,
    ],
  ],
  [
    "for_sale",
    [
      `(?:the |this )?(?:premium )?(?:domain(?: name)? )?(?:${HOST}|domain(?: name)?)(?: domain(?: name)?)? (?:is |may be |might be |could be )?(?:for sale|available for (?:sale|purchase)|parked(?: free.{0,60})?|expired|has expired)`,
      `(?:parked|expired) ${DOMAIN}(?: .{0,60})?`,
      `(?:buy|acheter|comprar|koop) (?:(?:this |ce |este |deze )${DOMAIN}|(?:this |ce |este |deze )?${HOST})`,
      `(?:ce |le |votre )?(?:${DOMAIN} )?(?:${HOST}|nom de domaine) (?:est |est peut-etre |peut etre )?(?:a vendre|en vente|a acheter|expire|gare|parque)`,
      `ce domaine (?:est |est peut-etre |peut etre )(?:a vendre|en vente|a acheter|expire|gare|parque)`,
      `(?:(?:diese |die )domain|(?:(?:die(?:se)? )?domain )?${HOST}) (?:steht zum verkauf|ist zu verkaufen|zu verkaufen|zum verkauf|kaufen|ist geparkt)`,
      `(?:(?:este |el )${DOMAIN}|(?:(?:este |el )?${DOMAIN} )?${HOST}) (?:esta )?(?:en venta|a la venta|aparcado)`,
      `(?:(?:questo |il )${DOMAIN}|(?:(?:questo |il )?${DOMAIN} )?${HOST}) (?:e )?in vendita`,
      `(?:(?:este |o )${DOMAIN}|(?:(?:este |o )?${DOMAIN} )?${HOST}) (?:esta )?a venda`,
      `(?:(?:deze |de )${DOMAIN}|(?:(?:deze |de )?${DOMAIN} )?${HOST}) (?:is |staat )?te koop`,
    ],
  ],
  [
    "unfinished",
    [
      `(?:(?:our |this |the |my )?(?:new )?${SITE} (?:is )?(?:currently )?)?(?:coming (?:very |back )?soon|under (?:re)?construction|launching (?:very )?soon|opening soon|being built)`,
      `(?:something|a new ${SITE}) (?:\\w+ )?is (?:coming|on its way)(?: soon)?`,
      `we(?:'re| are| will be| 'll be|'ll be) (?:coming|launching|opening|back) (?:very )?soon`,
      `future home of .{1,80}`,
      `(?:(?:notre |ce |le |votre )?(?:nouveau |nouvelle )?${SITE} (?:est )?(?:actuellement )?)?en (?:cours de )?(?:re)?(?:construction|creation|travaux)`,
      `(?:(?:notre |ce |le )?(?:nouveau |nouvelle )?${SITE} (?:est |sera |arrive )?)?bientot(?: (?:disponible|en ligne|ici|de retour))`,
      `nous (?:serons|sommes|revenons) (?:tres )?(?:bientot|vite)(?: de retour)?`,
      `(?:(?:notre |ce )?(?:nouveau )?${SITE} )?(?:arrive bientot|ouvre bientot|ouverture prochaine)`,
      `(?:(?:diese |unsere |die )?(?:neue )?${SITE} )?(?:ist |befindet sich )?(?:derzeit |gerade |noch )?im aufbau`,
      `(?:(?:unsere |die )?(?:neue )?${SITE} )?(?:ist |kommt )?(?:demnachst(?: (?:verfugbar|online|hier))?|bald (?:verfugbar|online|hier))`,
      `hier entsteht (?:in kurze )?(?:eine|ein|unsere|die|das|der) .{1,80}`,
      `(?:(?:nuestro |nuestra |este |esta )?(?:nuevo |nueva )?${SITE} )?(?:esta )?en construccion`,
      `(?:(?:nuestro |este )?${SITE} )?(?:disponible )?proximamente(?: disponible)?`,
      `(?:(?:il nostro |questo )?${SITE} )?(?:e )?(?:in costruzione|in allestimento|presto online)`,
      `(?:${SITE} )?em (?:breve|construcao)`,
      `(?:(?:deze |onze )?${SITE} )?(?:is )?(?:in aanbouw|binnenkort (?:online|beschikbaar))`,
      `(?:(?:our |this |the )?${SITE} (?:is )?(?:currently )?|(?:down|closed|briefly unavailable|we are down|we're down) )?(?:for|under|in|undergoing) (?:scheduled )?maintenance`,
      `maintenance mode|mode maintenance|(?:(?:notre |ce |le )?${SITE} (?:est )?(?:actuellement )?)?en maintenance`,
      `wartungsarbeiten|wartungsmodus|(?:(?:diese |unsere )?${SITE} )?(?:ist )?(?:derzeit )?(?:im wartungsmodus|in wartung)`,
      `(?:(?:este |nuestro )?${SITE} )?(?:esta )?en mantenimiento`,
    ],
  ],
  [
    "placeholder",
    [
      `welcome to (?:nginx|openresty|apache2?|caddy|lighttpd|xampp|iis)(?: on .{1,40})?`,
      `it works`,
      `(?:apache2? |nginx |iis |plesk |cpanel |debian |ubuntu |domain |hosting |web ?server'?s? |server'?s? )*default (?:web ?)?(?:site )?page`,
      `test page for the .{1,40}server.{0,40}`,
      `(?:apache |nginx )?(?:http )?server test page.{0,40}`,
      `(?:congratulations[!,.]? )?your (?:new )?(?:web ?)?(?:site|hosting|domain|server) is (?:ready|live|active|up and running|working|set ?up|almost ready)`,
      `you are all set to go`,
      `sorry,? this (?:shop|store) is (?:currently|temporarily) unavailable`,
      `(?:this |your )?(?:web ?site|account|site|hosting) (?:has been |has |is |was )?(?:temporarily |currently )?(?:suspended|expired|disabled|deactivated)`,
      `(?:this |your |the )?(?:deployment|project|app(?:lication)?|service) (?:has been |is )(?:temporarily |currently )?(?:paused|suspended)`,
      `(?:ce |votre )?(?:site|compte|hebergement) (?:est |a ete )?(?:suspendu|desactive|expire)`,
      `welcome to your (?:brand )?new (?:web ?site|site|blog|app(?:lication)?|project)`,
      `looks like this domain isn't connected to a website(?: yet)?`,
      `(?:this |the |your )?(?:domain(?: name)?(?: ${HOST})?|${HOST}) (?:has|was|is)(?: been)?(?: just| now| already| recently| successfully)? (?:registered|reserved)(?: .{0,60})?`,
      `(?:ce |le |votre )?(?:nom de )?domaine(?: ${HOST})? (?:est|a (?:bien )?ete|vient d'etre) (?:bien )?(?:enregistre|reserve|cree)(?: .{0,60})?`,
      `(?:diese |die |ihre )?domain(?: ${HOST})? (?:ist|wurde) (?:bereits |soeben |erfolgreich )?(?:registriert|reserviert|geparkt|eingerichtet)(?: .{0,60})?`,
    ],
  ],
];

const SAID = new Map(
  Object.entries(inOtherLanguages).flatMap(([kind, phrases]) =>
    phrases.map((phrase) => [foldWords(phrase), kind as StandInKind] as const),
  ),
);

/** Patterns made of many parts; what they are tried on has at most MAX_PHRASE characters. */
const KINDS = PHRASES.map(
  ([kind, phrases]) => [kind, new RegExp(`^(?:${phrases.join("|")})$`)] as const,
);

const MAX_PHRASE = 160;
const INTERJECTION =
  /^(?:oops|oups|ups|whoops|hoppla|sorry|desolee?|uh[- ]oh|error|erreur|fehler|congratulations|felicitations|gluckwunsch)[^a-z0-9]+/;
const NUMBER_BEFORE =
  /^(?:(?:http|error|erreur|fehler|errore|erro|code|status) ){0,3}404(?: (?:error|erreur|fehler))?(?![a-z0-9])[^a-z0-9]*/;
const NUMBER_AFTER = /[^a-z0-9]{1,5}(?:error |erreur )?404$/;

/** The kind of page that a whole phrase names; undefined if it says something else, or is a question. */
export function findKind(words: string): StandInKind | undefined {
  if (/\?\s?$/.test(words)) return undefined;
  const phrase = trimWords(foldWords(words.slice(0, MAX_PHRASE)));
  const rest = phrase.replace(NUMBER_BEFORE, "").replace(NUMBER_AFTER, "");
  if (rest === "" && phrase !== "") return "missing";
  const bare = rest.replace(INTERJECTION, "");
  const known = findKnown("name", phrase)?.kind;
  if (known !== undefined && known !== "template") return known;
  return (
    SAID.get(bare) ?? KINDS.find(([, pattern]) => pattern.test(rest) || pattern.test(bare))?.[0]
  );
}

/** A title in its parts: `Page not found - Tea | Shop`. */
export function splitTitle(title: string): string[] {
  return title.split(/\s[-–—|·•»:]\s|[|｜]/);
}

/** The lines and sentences of a short text. */
export function splitSentences(text: string): string[] {
  return text.split(/(?<=[.!?…])\s|\s[-–—|·•]\s|\n/);
}
