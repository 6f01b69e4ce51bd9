import { T } from "../../kit/reader.tsx";
import type { FastifyInstance } from "fastify";
import { getCheck, judgeStored } from "../../../checks/report.ts";
import { findReports } from "../../../db/checks/reports.ts";
import type { Deps } from "../../../deps.ts";
import { AppError } from "../../../base/errors.ts";
import type { ReportedCheck } from "../../../../shared/report/reported.ts";
import { oneLine } from "../../../base/syntax/text.ts";
import { Comparison } from "../../kit/comparison.tsx";
import { parameterOf } from "../../kit/request-parameters.ts";
import { FactList, Section } from "../../kit/layout.tsx";
import { sendPage } from "../../kit/session/page.ts";
import { getSignedIn } from "../../kit/session/signed-in.ts";
import { Moment } from "../../kit/time.tsx";
import { COMPARED } from "./check-words.ts";

interface ComparePageProps {
  before: ReportedCheck;
  now: ReportedCheck;
}

const MAX_URL_LENGTH = 200;

function ComparePage({ before, now }: ComparePageProps) {
  const checks = [
    ["before", before],
    ["now", now],
  ] as const;
  return (
    <>
      <h1>
        <T text={COMPARED.title} />
      </h1>
      <FactList
        facts={checks.map(([name, { id, url, checkedAt }]) => [
          COMPARED[name],
          <>
            <a href={`/checks/${id}`}>{oneLine(url, MAX_URL_LENGTH)}</a>,{" "}
            <Moment at={new Date(checkedAt)} />
          </>,
        ])}
      />
      {before.url !== now.url && (
        <p>
          <T text={COMPARED.others} />
        </p>
      )}
      <Section id="changed" title={COMPARED.changed}>
        <Comparison before={before} now={now} />
      </Section>
    </>
  );
}

function OnlyOne({ id }: { id: string }) {
  return (
    <>
      <h1>
        <T text={COMPARED.title} />
      </h1>
      <p class="lead">
        <T text={COMPARED.onlyOne} />
      </p>
      <p class="actions">
        <a href={`/checks/${id}`}>
          <T text={COMPARED.report} />
        </a>
      </p>
    </>
  );
}

/** A single check is compared with the previous check of its URL. */
export function compareRoutes(door: FastifyInstance, deps: Deps): void {
  const { title } = COMPARED;
  door.get("/checks/compare", async (request, reply) => {
    const signedIn = getSignedIn(request);
    const { caller, language } = signedIn;
    const [a, b = ""] = [parameterOf(request, "a"), parameterOf(request, "b")];
    if (a === undefined) {
      const { id, previousId } = await getCheck(deps, signedIn, b);
      if (previousId !== null)
        return reply.redirect(`/checks/compare?a=${previousId}&b=${id}`, 303);
      return sendPage(request, reply, { title, children: <OnlyOne id={id} /> });
    }
    const ids = [a, b] as const;
    const found = await findReports(deps.database.sql, caller, ids);
    const kept = ids.map((id) => found.find((one) => one.id === id) ?? { id, evidence: null });
    const [before, now] = await judgeStored(deps, signedIn, language, kept);
    const missing = kept.find(({ id }) => id !== before?.id && id !== now?.id);
    if (missing?.evidence) throw new AppError("evidence_outdated", { name: `Check ${missing.id}` });
    if (before === undefined || now === undefined) throw new AppError("check_not_found", {});
    return sendPage(request, reply, {
      title,
      children: <ComparePage before={before} now={now} />,
    });
  });
}
