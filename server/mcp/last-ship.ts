import type { LastShip } from "../../shared/last-ship.ts";
import { describePreviousFiles } from "../../shared/report/previous-files.ts";
import { LastShipInput, LastShipResult } from "../../shared/tools.ts";
import { getFound } from "../db/accounts/callers.ts";
import { findLastShip } from "../db/deployments/deployments.ts";
import { chooseProject } from "../db/projects/projects.ts";
import type { Text } from "../../shared/language.ts";
import { ENTERED_DATA, pageText, writeLines } from "./results.ts";
import { defineTool, READS } from "./tool.ts";

const NOTHING: Text = {
  fr: "Rien n'a encore été déployé en production.",
  en: "Nothing has been deployed to production yet.",
};

const UNVERIFIED: Text = {
  fr: "Pas encore de score : sa vérification n'est pas terminée.",
  en: "No score yet: its check has not finished yet.",
};

function describeResult({ score, verdict, ruleset, checkId }: LastShip): Text {
  if (score === null) return UNVERIFIED;
  return {
    fr: `Score : ${score}/100, verdict ${verdict}, règles ${ruleset}, vérification ${checkId}`,
    en: `Score: ${score}/100, verdict ${verdict}, ruleset ${ruleset}, check ${checkId}`,
  };
}

/** Treats texts of the owner and the incoming webhook as data. */
const cleanShip = (ship: LastShip): LastShip => ({
  ...ship,
  url: pageText(ship.url),
  commit: ship.commit && pageText(ship.commit),
  ref: ship.ref && pageText(ship.ref),
});

function describeShip({ id, url, environment, commit, ref, deployedAt }: LastShip): Text {
  const facts = [url, deployedAt, id, environment];
  const source = [commit && `commit ${commit}`, ref && `ref ${ref}`].filter(Boolean);
  const said = [...facts, ...source].join(", ");
  return {
    fr: `Dernier déploiement en production : ${said}`,
    en: `Last production deployment: ${said}`,
  };
}

export const lastShipTool = defineTool({
  name: "last_ship",
  title: "Last production deployment",
  description:
    "Returns a project's latest production deployment: its URL, commit, ref, time and Ship Score. Use it to see what is live and whether it was fit to ship.",
  input: LastShipInput,
  output: LastShipResult,
  annotations: READS,
  async call({ database }, { row, language }, { project }) {
    const found = getFound(await findLastShip(database.sql, row, chooseProject(project)));
    const lastShip = found && cleanShip(found);
    const lines = lastShip
      ? [
          ENTERED_DATA,
          describeShip(lastShip),
          describeResult(lastShip),
          ...(lastShip.previousFiles ? [describePreviousFiles(lastShip.previousFiles)] : []),
        ]
      : [NOTHING];
    return { structured: { lastShip }, text: writeLines(lines, language) };
  },
});
