import type { Text } from "../../../../shared/language.ts";
import { type Policy, SOURCE_LISTS, isDirective, splitPolicy } from "./policy.ts";
import { type Fix, cut } from "../rule.ts";
import { findQuoted, findSource } from "./source-expression.ts";

export interface PolicyFault {
  readonly found: Text;
  readonly fix: Fix;
}

function findSourceFault(directive: string, values: readonly string[]): PolicyFault | undefined {
  for (const value of values) {
    const shown = cut(value, 60);
    const meant = findQuoted(value);
    if (meant !== undefined)
      return {
        found: findSource(value)
          ? {
              fr: `dans ${directive}, ${shown} est lu comme un hôte, faute de guillemets simples`,
              en: `${shown} in ${directive} is read as a host, because it has no single quotes`,
            }
          : {
              fr: `${shown} n'est pas entre guillemets simples (${directive})`,
              en: `${shown} is not in single quotes (${directive})`,
            },
        fix: {
          fr: `Écrivez ${cut(meant, 60)} dans ${directive}.`,
          en: `Write ${cut(meant, 60)} in ${directive}.`,
        },
      };
    if (values.length > 1 && value.toLowerCase() === "'none'")
      return {
        found: {
          fr: `'none' n'est pas la seule valeur de ${directive}`,
          en: `'none' is not the only value in ${directive}`,
        },
        fix: {
          fr: `Retirez 'none' de ${directive}, ou tout le reste.`,
          en: `Remove 'none' from ${directive}, or everything else.`,
        },
      };
    if (!findSource(value))
      return {
        found: {
          fr: `${shown} n'est pas une source valide (${directive})`,
          en: `${shown} is not a valid source (${directive})`,
        },
        fix: {
          fr: `Corrigez ou retirez ${shown} dans ${directive}.`,
          en: `Correct or remove ${shown} in ${directive}.`,
        },
      };
  }
  return undefined;
}

function findDirectiveFault(name: string, isRepeated: boolean): PolicyFault | undefined {
  const shown = cut(name, 60);
  if (isRepeated)
    return {
      found: {
        fr: `${shown} est répétée, et seule la première est prise en compte`,
        en: `${shown} is repeated, and only the first counts`,
      },
      fix: {
        fr: `Réunissez toutes les sources dans une seule directive ${shown}.`,
        en: `Put all sources in a single ${shown} directive.`,
      },
    };
  if (isDirective(name)) return undefined;
  const [, meant = "", sign = ""] = /^([a-z-]+)([:='])/.exec(name) ?? [];
  if (isDirective(meant)) return describeSign(meant, sign);
  return {
    found: { fr: `${shown} n'est pas une directive`, en: `${shown} is not a directive` },
    fix: {
      fr: `Corrigez ou retirez la directive ${shown}.`,
      en: `Correct or remove the ${shown} directive.`,
    },
  };
}

const SIGNS: Readonly<Record<string, Text>> = {
  ":": { fr: "à la place des deux-points", en: "in place of the colon" },
  "=": { fr: "à la place du signe égal", en: "in place of the equals sign" },
  "'": { fr: "devant le guillemet", en: "before the quote" },
};

function describeSign(directive: string, sign: string): PolicyFault {
  const correction = SIGNS[sign] ?? { fr: "", en: "" };
  return {
    found: {
      fr: `${directive}${sign} n'est pas une directive : il faut un espace ${correction.fr}`,
      en: `${directive}${sign} is not a directive: a space is needed ${correction.en}`,
    },
    fix: {
      fr: `Après ${directive}, mettez un espace ${correction.fr}.`,
      en: `After ${directive}, put a space ${correction.en}.`,
    },
  };
}

function findRunOn(name: string, values: readonly string[]): PolicyFault | undefined {
  const next = values.find((value) => value.includes("-") && isDirective(value.toLowerCase()));
  if (next === undefined) return undefined;
  return {
    found: {
      fr: `il manque un point-virgule devant ${next}, lu comme une valeur de ${cut(name, 60)}`,
      en: `a semicolon is missing before ${next}, which is read as a value of ${cut(name, 60)}`,
    },
    fix: { fr: `Mettez un point-virgule devant ${next}.`, en: `Put a semicolon before ${next}.` },
  };
}

const CURLY = /[‘’‚‛“”„‟′″´]/g;

function describeForeign(directive: string): PolicyFault {
  const shown = cut(directive, 60);
  if (directive.search(CURLY) >= 0)
    return {
      found: {
        fr: `${shown} est ignorée, à cause de ses guillemets typographiques`,
        en: `${shown} is ignored, because of its curly quotes`,
      },
      fix: {
        fr: `Utilisez des guillemets droits : ${cut(directive.replaceAll(CURLY, "'"), 100)}`,
        en: `Use straight quotes: ${cut(directive.replaceAll(CURLY, "'"), 100)}`,
      },
    };
  return {
    found: {
      fr: `${shown} est ignorée, car elle n'est pas en ASCII`,
      en: `${shown} is ignored, because it is not ASCII`,
    },
    fix: {
      fr: "Écrivez la politique en ASCII, sans espace insécable, et les noms d'hôtes sous leur forme xn--.",
      en: "Write the policy in ASCII, without no-break spaces, and host names in their xn-- form.",
    },
  };
}

export function findPolicyFault({ source }: Policy): PolicyFault | undefined {
  const foreign = source.split(";").find((part) => /[^\0-\x7f]/.test(part));
  if (foreign !== undefined) return describeForeign(foreign);
  const knownNames = new Set<string>();
  for (const { name, values } of splitPolicy(source)) {
    const fault =
      findDirectiveFault(name, knownNames.has(name)) ??
      findRunOn(name, values) ??
      (SOURCE_LISTS.has(name) ? findSourceFault(name, values) : undefined);
    if (fault) return fault;
    knownNames.add(name);
  }
  return undefined;
}
