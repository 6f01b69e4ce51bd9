import type { Text } from "../../../language.ts";
import { type Policy, SOURCE_LISTS, isDirective, splitPolicy } from "./policy.ts";
import { cut, text } from "../../rule.ts";
import { findSource, lacksQuotes } from "./source-expression.ts";

/** What browsers ignore in a header, or can't reconcile, and what to write in its place. */
export interface Fault {
  readonly seen: Text;
  readonly fix: Text;
}

function findSourceFault(directive: string, values: readonly string[]): Fault | undefined {
  for (const value of values) {
    const shown = cut(value, 60);
    if (lacksQuotes(value))
      return {
        seen: text(
          `${directive} ${shown} désigne un hôte, faute de guillemets`,
          `${directive} ${shown} names a host, for lack of quotes`,
        ),
        fix: text(`Écrivez '${shown}' dans ${directive}.`, `Write '${shown}' in ${directive}.`),
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
  return {
    seen: text(`${shown} n'est pas une directive`, `${shown} is no directive`),
    fix: text(
      `Corrigez ou retirez la directive ${shown}.`,
      `Correct or remove the directive ${shown}.`,
    ),
  };
}

/** The first thing in a policy that browsers ignore, or read otherwise than it was meant. */
export function findPolicyFault({ source }: Policy): Fault | undefined {
  if (/[^\0-\x7f]/.test(source))
    return {
      seen: text(
        "une directive qui n'est pas en ASCII est ignorée",
        "a directive that is not ASCII is ignored",
      ),
      fix: text(
        "Écrivez la politique en ASCII, les noms d'hôtes en xn--.",
        "Write the policy in ASCII, host names as xn--.",
      ),
    };
  const seen = new Set<string>();
  for (const { name, values } of splitPolicy(source)) {
    const fault =
      findDirectiveFault(name, seen.has(name)) ??
      (SOURCE_LISTS.has(name) ? findSourceFault(name, values) : undefined);
    if (fault) return fault;
    seen.add(name);
  }
  return undefined;
}
