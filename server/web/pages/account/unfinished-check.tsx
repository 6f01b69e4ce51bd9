import { say } from "../../../../shared/report/words.ts";
import type { CheckProgress } from "../../../db/checks/reports.ts";
import type { Language } from "../../../base/language.ts";
import { oneLine } from "../../../base/syntax/one-line.ts";
import { CHECK_AGAIN, CheckNow } from "../../kit/check-now.tsx";
import { Notice } from "../../kit/components.tsx";
import { LIVE_SCRIPT } from "../../kit/live-script.ts";
import { Progress } from "../../kit/progress.tsx";
import type { SignedInPage } from "../../kit/session/page.ts";
import { RUNNING } from "./check-words.ts";

const MAX_LENGTH = 1200;

/** The page of a check that runs, which becomes its report, or of one that was interrupted. */
export function pageOfUnfinished(check: CheckProgress, language: Language): SignedInPage {
  const name = oneLine(check.url ?? check.host, MAX_LENGTH);
  const path = `/checks/${check.id}`;
  if (check.state === "running")
    return {
      title: say(RUNNING.title, language),
      refresh: path,
      script: LIVE_SCRIPT,
      children: (
        <Progress name={name} made={check} path={path} hint={RUNNING.reloads} language={language} />
      ),
    };
  return {
    title: say(RUNNING.failed, language),
    children: (
      <>
        <h1 class="address">{name}</h1>
        <Notice tone="bad">
          <p>
            <strong>{say(RUNNING.failed, language)}</strong>
          </p>
          <p>{say(RUNNING.failedLead, language)}</p>
        </Notice>
        {check.url && <CheckNow url={check.url} label={CHECK_AGAIN} language={language} />}
      </>
    ),
  };
}
