/** Beginnings of public identifiers that cause quirks mode (HTML, 13.2.6.4.1), in lower case, without the owner. */
const QUIRKY: Readonly<Record<string, readonly string[]>> = {
  "+//silmaril": ["html pro v0r11 19970101"],
  "-//as": ["html 3.0 aswedit + extensions"],
  "-//advasoft ltd": ["html 3.0 aswedit + extensions"],
  "-//ietf": [
    "html",
    "html 2.0",
    "html 2.0 level 1",
    "html 2.0 level 2",
    "html 2.0 strict",
    "html 2.0 strict level 1",
    "html 2.0 strict level 2",
    "html 2.1e",
    "html 3",
    "html 3.0",
    "html 3.2",
    "html 3.2 final",
    "html level 0",
    "html level 1",
    "html level 2",
    "html level 3",
    "html strict",
    "html strict level 0",
    "html strict level 1",
    "html strict level 2",
    "html strict level 3",
  ],
  "-//metrius": ["metrius presentational"],
  "-//microsoft": [
    "internet explorer 2.0 html",
    "internet explorer 2.0 html strict",
    "internet explorer 2.0 tables",
    "internet explorer 3.0 html",
    "internet explorer 3.0 html strict",
    "internet explorer 3.0 tables",
  ],
  "-//netscape comm. corp.": ["html", "strict html"],
  "-//o'reilly and associates": ["html 2.0", "html extended 1.0", "html extended relaxed 1.0"],
  "-//sq": ["html 2.0 hotmetal + extensions"],
  "-//softquad": ["hotmetal pro 4.0::19971010::extensions to html 4.0"],
  "-//softquad software": ["hotmetal pro 6.0::19990601::extensions to html 4.0"],
  "-//spyglass": ["html 2.0 extended"],
  "-//sun microsystems corp.": ["hotjava html", "hotjava strict html"],
  "-//w3c": [
    "html 3 1995-03-24",
    "html 3.2",
    "html 3.2 draft",
    "html 3.2 final",
    "html 3.2s draft",
    "html 4.0 frameset",
    "html 4.0 transitional",
    "html experimental 19960712",
    "html experimental 970421",
    "w3 html",
  ],
  "-//w3o": ["w3 html 3.0"],
  "-//webtechs": ["mozilla html", "mozilla html 2.0"],
};
const QUIRKY_STARTS = Object.entries(QUIRKY).flatMap(([owner, names]) =>
  names.map((name) => `${owner}//dtd ${name}//`),
);
const QUIRKY_IDS: readonly string[] = [
  "html",
  "-/w3c/dtd html 4.0 transitional/en",
  "-//w3o//dtd w3 html strict 3.0//en//",
];
/** Public identifiers that cause quirks mode only if the doctype has no system identifier. */
const QUIRKY_ALONE: readonly string[] = [
  "-//w3c//dtd html 4.01 frameset//",
  "-//w3c//dtd html 4.01 transitional//",
];
const QUIRKY_SYSTEM = "http://www.ibm.com/data/dtd/v11/ibmxhtml1-transitional.dtd";
/**
 * Matches a doctype and its identifiers (HTML, 13.2.5.53 to 13.2.5.67). Any other doctype puts browsers in quirks mode.
 * HTML has fewer white space characters than `\s`.
 */
const IDENTIFIERS =
  /^doctype[\t\n\f\r ]*html(?:[\t\n\f\r ]+(?:public[\t\n\f\r ]*(?<public>"[^"]*"|'[^']*')[\t\n\f\r ]*(?:(?<system>"[^"]*"|'[^']*').*)?|system[\t\n\f\r ]*(?<alone>"[^"]*"|'[^']*').*)?)?$/is;

/** Identifiers are compared exactly, apart from the case of ASCII letters. */
const lowerCase = (text: string) => text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());

/** `declaration` is the text between `<!` and `>`. Almost standards mode counts as standards mode. */
export function isStandardsMode(declaration: string): boolean {
  const found = IDENTIFIERS.exec(declaration);
  if (!found) return false;
  const publicId = lowerCase((found.groups?.["public"] ?? "").slice(1, -1));
  const systemId = (found.groups?.["system"] ?? found.groups?.["alone"])?.slice(1, -1);
  if (QUIRKY_IDS.includes(publicId) || lowerCase(systemId ?? "") === QUIRKY_SYSTEM) return false;
  const begins = (start: string) => publicId.startsWith(start);
  return !QUIRKY_STARTS.some(begins) && (systemId !== undefined || !QUIRKY_ALONE.some(begins));
}
