import type { Command } from "commander";
import type { Language } from "../../shared/language.ts";
import { say } from "../../shared/report/words.ts";
import { filePath, rare, wholeNumber, type CommonFlags } from "../terminal/command.ts";
import { usageError, ValueError } from "../terminal/errors.ts";
import { checkMinimum, readId, readRuleId } from "./rule-arguments.ts";
import type { CategoryMinimum, GateFlags } from "../../shared/report/gate.ts";
import { Finding } from "../../shared/check.ts";
import { CheckList, GatedCheck } from "../client/json-output.ts";
import { checkField } from "../terminal/json.ts";

export interface TypedGateFlags extends GateFlags {
  /** The project whose last production deployment is the baseline of `--max-drop`. */
  readonly project?: string;
  readonly baseline?: string;
  readonly fail: boolean;
}

function readMinimum(text: string, earlier: readonly CategoryMinimum[] = []): CategoryMinimum[] {
  const [, id, points] = /^([a-z]+)=(\d{1,3}(?:\.\d)?)$/.exec(text) ?? [];
  if (id === undefined)
    throw new ValueError({
      fr: "Indiquez CATÉGORIE=POINTS, par exemple headers=12",
      en: "Use CATEGORY=POINTS, such as headers=12",
    });
  checkMinimum(id, Number(points));
  if (earlier.some((minimum) => minimum.id === id))
    throw new ValueError({ fr: `${id} figure deux fois`, en: `${id} is used twice` });
  return [...earlier, { id, points: Number(points) }];
}

function readIds(text: string, earlier: readonly string[] = []): string[] {
  const ids = text.split(",").map((id) => id.trim());
  if (ids.includes(""))
    throw new ValueError({
      fr: "Indiquez des règles ou des catégories, par exemple hdr.csp,tls",
      en: "Use rules or categories, such as hdr.csp,tls",
    });
  return [...new Set([...earlier, ...ids.map(readId)])];
}

const GATE_HELP = {
  minScore: {
    fr: "renvoyer 1 si le score est inférieur",
    en: "exit 1 when the score is lower",
  },
  minCategory: {
    fr: "renvoyer 1 si la catégorie rapporte moins ; répétable",
    en: "exit 1 when the category earns less; repeatable",
  },
  require: {
    fr: "exiger la réussite de règles ou catégories",
    en: "exit 1 unless these rules or categories pass",
  },
  maxDrop: {
    fr: "renvoyer 1 si le score a baissé davantage",
    en: "exit 1 when the score dropped by more",
  },
  project: {
    fr: "pour --max-drop, le projet dont le dernier déploiement en production est la référence",
    en: "for --max-drop, the project whose last production deployment is the baseline",
  },
  baseline: {
    fr: "comparer avec ce résultat enregistré",
    en: "compare with this saved result",
  },
  failOnNew: {
    fr: "renvoyer 1 si un constat est pire que dans --baseline",
    en: "exit 1 when a finding is worse than in --baseline",
  },
  missingBaseline: {
    fr: "résultat de --max-drop et de --fail-on-new sans référence de comparaison (fail par défaut)",
    en: "result of --max-drop and --fail-on-new without a baseline to compare with (default: fail)",
  },
  noFail: {
    fr: "renvoyer 0 quelles que soient les conditions ; les erreurs conservent leur code",
    en: "exit 0 whatever the gate's result; errors keep their exit codes",
  },
};

export function addGateFlags(command: Command, language: Language): Command {
  return command
    .optionsGroup("Gate:")
    .option("--min-score <n>", say(GATE_HELP.minScore, language), wholeNumber(0, 100))
    .option("--min-category <category=n>", say(GATE_HELP.minCategory, language), readMinimum)
    .option("--require <ids>", say(GATE_HELP.require, language), readIds)
    .option("--max-drop <n>", say(GATE_HELP.maxDrop, language), wholeNumber(0, 100))
    .option("--project <project>", say(GATE_HELP.project, language))
    .option("--baseline <file>", say(GATE_HELP.baseline, language), filePath)
    .option("--fail-on-new", say(GATE_HELP.failOnNew, language))
    .addOption(
      rare("--missing-baseline <result>", say(GATE_HELP.missingBaseline, language)).choices([
        "fail",
        "pass",
      ]),
    )
    .addOption(rare("--no-fail", say(GATE_HELP.noFail, language)));
}

function hasGate(flags: GateFlags): boolean {
  const { minScore, minCategory, require, maxDrop, failOnNew } = flags;
  return [minScore, minCategory, require, maxDrop, failOnNew].some((flag) => flag !== undefined);
}

/** A flag without effect could leave a gate open by mistake. */
export function checkGateFlags(flags: TypedGateFlags): void {
  const { maxDrop, project, baseline, failOnNew, missingBaseline } = flags;
  const hasTwoBaselines = project !== undefined && baseline !== undefined && !failOnNew;
  if (maxDrop !== undefined && hasTwoBaselines)
    throw usageError(
      {
        fr: "--max-drop a deux références : --project et --baseline",
        en: "--max-drop has two baselines: --project and --baseline",
      },
      { fr: "N'en indiquez qu'une", en: "Use one of them" },
    );
  if (maxDrop !== undefined && project === undefined && baseline === undefined)
    throw usageError(
      {
        fr: "--max-drop n'a aucune référence de comparaison",
        en: "--max-drop has no baseline to compare with",
      },
      {
        fr: "Ajoutez --project PROJET, ou --baseline FICHIER",
        en: "Add --project PROJECT, or --baseline FILE",
      },
    );
  if (failOnNew && baseline === undefined)
    throw usageError(
      {
        fr: "--fail-on-new n'a aucune référence de comparaison",
        en: "--fail-on-new has no baseline to compare with",
      },
      { fr: "Ajoutez --baseline FICHIER", en: "Add --baseline FILE" },
    );
  if (maxDrop !== undefined) return;
  const idle = project === undefined ? missingBaseline && "--missing-baseline" : "--project";
  if (idle && (project !== undefined || !failOnNew))
    throw usageError(
      { fr: `${idle} seul est sans effet`, en: `${idle} has no effect by itself` },
      {
        fr: "Ajoutez --max-drop N, ou retirez cette option",
        en: "Add --max-drop N, or leave it out",
      },
    );
}

export interface OutputFlags extends CommonFlags {
  readonly all?: true;
  readonly explain?: string;
  readonly quiet?: true;
}

export function checkOutputFlags(
  { explain, field, ...gate }: OutputFlags & GateFlags,
  isList: boolean,
): void {
  if (isList && explain !== undefined)
    throw usageError(
      { fr: "--explain ne concerne qu'une URL", en: "--explain works with one URL only" },
      { fr: "Indiquez une seule URL, sans --urls", en: "Use one URL, without --urls" },
    );
  if (field === undefined) return;
  if (explain !== undefined) return checkField(field, Finding);
  checkField(field, isList ? CheckList : GatedCheck);
  if (/^(?:checks\.\d+\.)?gate(?:\.(?!accepted)|$)/.test(field) && !hasGate(gate))
    throw usageError(
      {
        fr: "le champ gate n'existe qu'avec une condition",
        en: "the gate field exists only with a condition",
      },
      {
        fr: "Ajoutez-en une, par exemple --min-score 80",
        en: "Add one, such as --min-score 80",
      },
    );
}

const OUTPUT_HELP = {
  all: {
    fr: "tout afficher : chaque constat, chaque catégorie",
    en: "show everything: each finding, each category",
  },
  explain: {
    fr: "afficher en entier le constat d'une règle",
    en: "show the finding of one rule in full",
  },
  quiet: {
    fr: "n'afficher que le résultat des conditions et les erreurs",
    en: "show only the gate's result and errors",
  },
};

export function addOutputFlags(command: Command, language: Language): Command {
  return command
    .optionsGroup("Output:")
    .option("--all", say(OUTPUT_HELP.all, language))
    .option("--explain <rule>", say(OUTPUT_HELP.explain, language), readRuleId)
    .option("-q, --quiet", say(OUTPUT_HELP.quiet, language));
}
