import type { FastifyInstance } from "fastify";
import { say } from "../../../../shared/report/words.ts";
import { listReports } from "../../../db/checks/reports.ts";
import type { Deps } from "../../../deps.ts";
import { AppError } from "../../../base/errors.ts";
import { unpackText } from "../../../engine/evidence/evidence-file.ts";
import { oneLine, oneLineEach } from "../../../base/syntax/one-line.ts";
import { getReport, judgeReport } from "../../../checks/report.ts";
import { parameterOf } from "../../kit/asked.ts";
import { sendPage } from "../../kit/session/page.ts";
import { getSignedIn } from "../../kit/session/signed-in.ts";
import { CheckPage } from "./check-page.tsx";
import { LIST } from "./check-words.ts";
import { ChecksPage } from "./checks-page.tsx";

const MAX_TEXT_LENGTH = 1200;
const MAX_TITLE_LENGTH = 80;

interface CheckPath {
  Params: { id: string };
}

/** The checks of an account, and the reports of those that the account may see. */
export function checkRoutes(door: FastifyInstance, deps: Deps): void {
  door.get("/checks", async (request, reply) => {
    const signedIn = getSignedIn(request);
    const before = parameterOf(request, "before");
    const page = await listReports(deps.database.sql, signedIn.caller, before);
    if (page === undefined) throw new AppError("unauthorized", {});
    return sendPage(request, reply, {
      title: say(LIST.title, signedIn.language),
      children: <ChecksPage {...page} reader={signedIn} isLater={before !== undefined} />,
    });
  });

  door.get<CheckPath>("/checks/:id", async (request, reply) => {
    const signedIn = getSignedIn(request);
    const { language } = signedIn;
    const asked = parameterOf(request, "ruleset");
    const wanted = { id: request.params.id, language, ruleset: asked };
    const judged = await judgeReport(deps, signedIn, wanted);
    const report = { ...judged, check: oneLineEach(judged.check, MAX_TEXT_LENGTH) };
    const { url, score } = report.check;
    return sendPage(request, reply, {
      title: `Ship Score ${score}, ${oneLine(url.replace(/^https:\/\//, ""), MAX_TITLE_LENGTH)}`,
      children: <CheckPage report={report} asked={asked} language={language} />,
      status: asked !== undefined && judged.changes === undefined ? 422 : 200,
    });
  });

  door.get<CheckPath>("/checks/:id/evidence", async (request, reply) => {
    const { id, evidence } = await getReport(deps, getSignedIn(request), request.params.id);
    return reply
      .headers({ "content-disposition": `attachment; filename="${id}.json"` })
      .type("application/json; charset=utf-8")
      .send(await unpackText(evidence));
  });
}
