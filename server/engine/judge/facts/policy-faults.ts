import type { Text } from "../../../base/language.ts";
import { type Policy, SOURCE_LISTS, isDirective, splitPolicy } from "./policy.ts";
import { type Fix, cut, text } from "../rule.ts";
import { findQuoted, findSource } from "./source-expression.ts";

/** What browsers ignore or find contradictory in a header, and what to write instead. */
export interface Fault {
  readonly seen: Text;
  readonly fix: Fix;
}

function findSourceFault(directive: string, values: readonly string[]): Fault | undefined {
  for (const value of values) {
    const shown = cut(value, 60);
    const meant = findQuoted(value);
    if (meant !== undefined)
      return {
        seen: findSource(value)
          ? text(
              `${directive} ${shown} désigne un hôte, faute de guillemets`,
              `${directive} ${shown} names a host, for lack of quotes`,
            )
          : text(
              `${shown} n'est pas entre guillemets simples (${directive})`,
              `${shown} is not in single quotes (${directive})`,
            ),
        fix: text(
          `Écrivez ${cut(meant, 60)} dans ${directive}.`,
          `Write ${cut(meant, 60)} in ${directive}.`,
        ),
      };
    if (values.length > 1 && value.toLowerCase() === "'none'")
      return {
        seen: text(
          `'none' n'est pas seul dans ${directive}`,
          `'none' does not stand alone in ${directive}`,
        ),
        fix: text(
          `Retirez 'none' de ${directive}, ou tout le reste.`,
          `Take 'none' out of ${directive}, or all the rest.`,
        ),
      };
    if (!findSource(value))
      return {
        seen: text(
          `${shown} n'est pas une source (${directive})`,
          `${shown} is not a valid source (${directive})`,
        ),
        fix: text(
          `Corrigez ou retirez ${shown} dans ${directive}.`,
          `Correct or remove ${shown} in ${directive}.`,
        ),
      };
  }
  return undefined;
}

function findDirectiveFault(name: string, isRepeated: boolean): Fault | undefined {
  const shown = cut(name, 60);
  if (isRepeated)
    return {
      seen: text(
        `${shown} est répété, et seul le premier compte`,
        `${shown} is repeated, and the first alone counts`,
      ),
      fix: text(
        `Réunissez les sources dans un seul ${shown}.`,
        `Put all the sources into one ${shown}.`,
      ),
    };
  if (isDirective(name)) return undefined;
  const [, meant = "", sign = ""] = /^([a-z-]+)([:='])/.exec(name) ?? [];
  if (isDirective(meant)) return describeSign(meant, sign);
  return {
    seen: text(`${shown} n'est pas une directive`, `${shown} is no directive`),
    fix: text(
      `Corrigez ou retirez la directive ${shown}.`,
      `Correct or remove the directive ${shown}.`,
    ),
  };
}

const SIGNS: Readonly<Record<string, Text>> = {
  ":": text("à la place des deux-points", "in place of the colon"),
  "=": text("à la place du signe égal", "in place of the equals sign"),
  "'": text("devant le guillemet", "before the quote"),
};

/** A directive's name with a punctuation mark attached. */
function describeSign(directive: string, sign: string): Fault {
  const place = SIGNS[sign] ?? text("", "");
  return {
    seen: text(
      `${directive}${sign} n'est pas une directive : il faut un espace ${place.fr}`,
      `${directive}${sign} is no directive: a space is needed ${place.en}`,
    ),
    fix: text(
      `Après ${directive}, mettez un espace ${place.fr}.`,
      `After ${directive}, put a space ${place.en}.`,
    ),
  };
}

/** A directive's name among the values of another: the semicolon between the two is missing. */
function findRunOn(name: string, values: readonly string[]): Fault | undefined {
  const next = values.find((value) => value.includes("-") && isDirective(value.toLowerCase()));
  if (next === undefined) return undefined;
  return {
    seen: text(
      `il manque un point-virgule devant ${next}, que ${cut(name, 60)} prend pour une valeur`,
      `a semicolon is missing before ${next}, which ${cut(name, 60)} takes for a value`,
    ),
    fix: text(`Mettez un point-virgule devant ${next}.`, `Put a semicolon before ${next}.`),
  };
}

const CURLY = /[‘’‚‛“”„‟′″´]/g;

/** A directive that browsers drop because of a character outside ASCII. */
function describeForeign(directive: string): Fault {
  const shown = cut(directive, 60);
  if (directive.search(CURLY) >= 0)
    return {
      seen: text(
        `${shown} est ignoré, à cause de guillemets typographiques`,
        `${shown} is ignored, because of curly quotes`,
      ),
      fix: text(
        `Mettez des guillemets droits : ${cut(directive.replaceAll(CURLY, "'"), 100)}`,
        `Use straight quotes: ${cut(directive.replaceAll(CURLY, "'"), 100)}`,
      ),
    };
  return {
    seen: text(
      `${shown} est ignoré, car ce n'est pas de l'ASCII`,
      `${shown} is ignored, since it is not ASCII`,
    ),
    fix: text(
      "Écrivez la politique en ASCII, sans espace insécable, et les noms d'hôtes en xn--.",
      "Write the policy in ASCII, without no-break spaces, and host names as xn--.",
    ),
  };
}

/** The first thing in a policy that browsers ignore, or read differently from what was meant. */
export function findPolicyFault({ source }: Policy): Fault | undefined {
  const foreign = source.split(";").find((part) => /[^\0-\x7f]/.test(part));
  if (foreign !== undefined) return describeForeign(foreign);
  const seen = new Set<string>();
  for (const { name, values } of splitPolicy(source)) {
    const fault =
      findDirectiveFault(name, seen.has(name)) ??
      findRunOn(name, values) ??
      (SOURCE_LISTS.has(name) ? findSourceFault(name, values) : undefined);
    if (fault) return fault;
    seen.add(name);
  }
  return undefined;
}
