import type { CheckProgress } from "../../../db/checks/reports.ts";
import { oneLine } from "../../../base/syntax/one-line.ts";
import { CHECK_AGAIN, CheckNow } from "../../kit/check-now.tsx";
import { Notice } from "../../kit/components.tsx";
import { LIVE_SCRIPT } from "../../kit/live-script.ts";
import { useSay } from "../../kit/reader.tsx";
import { Progress } from "../../kit/progress.tsx";
import type { SignedInPage } from "../../kit/session/page.ts";
import { RUNNING } from "./check-words.ts";

const MAX_LENGTH = 1200;

function Interrupted({ name, url }: { name: string; url: string | null }) {
  const say = useSay();
  return (
    <>
      <h1 class="address">{name}</h1>
      <Notice tone="bad">
        <p>
          <strong>{say(RUNNING.failed)}</strong>
        </p>
        <p>{say(RUNNING.failedLead)}</p>
      </Notice>
      {url && <CheckNow url={url} label={CHECK_AGAIN} />}
    </>
  );
}

/** The page of a check that runs, which becomes its report, or of one that was interrupted. */
export function pageOfUnfinished(check: CheckProgress): SignedInPage {
  const name = oneLine(check.url ?? check.host, MAX_LENGTH);
  const path = `/checks/${check.id}`;
  if (check.state === "running")
    return {
      title: RUNNING.title,
      refresh: path,
      script: LIVE_SCRIPT,
      children: <Progress name={name} made={check} path={path} hint={RUNNING.reloads} />,
    };
  return { title: RUNNING.failed, children: <Interrupted name={name} url={check.url} /> };
}
