import type { Language } from "../../../../shared/language.ts";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { secondsToNextMonth, quotaOfAccount } from "../../../checks/quota.ts";
import { findCheckProgress, listChecks, type CheckRow } from "../../../db/checks/reports.ts";
import type { Deps } from "../../../deps.ts";
import { AppError, describeRefusal, isAppError } from "../../../base/errors.ts";
import { unpackText } from "../../../engine/evidence/packed-evidence.ts";
import { oneLine } from "../../../base/syntax/text.ts";
import { completeUrl } from "../../../base/syntax/url.ts";
import { startCheck } from "../../../checks/check.ts";
import { watchChanges } from "../../../checks/progress.ts";
import { cleanCheck, getCheck, getEvidence, judgeReport } from "../../../checks/report.ts";
import { beginRead } from "../../../http/caller.ts";
import { refuseWith } from "../../../http/errors.ts";
import { describeDay } from "../../kit/time.tsx";
import { parameterOf } from "../../kit/request-parameters.ts";
import { COPY_SCRIPT } from "../../kit/components.tsx";
import { Form, useFormInput, AddressField } from "../../kit/fields.tsx";
import { fieldsOf, refuse, type Refusal } from "../../kit/forms.ts";
import { describeProgress } from "../../kit/progress.tsx";
import type { Streams } from "../../kit/streams.ts";
import {
  keepReadPermit,
  sendList,
  readListQuery,
  type ListDeclaration,
  urlColumn,
  scoreColumn,
  pageColumn,
  timeColumn,
  verdictColumn,
} from "../../kit/session/paged-list.tsx";
import { sendPage } from "../../kit/session/page.ts";
import { getSignedIn, type SignedInRequest } from "../../kit/session/signed-in.ts";
import { CheckPage, pageOfUnfinished } from "./check-page.tsx";
import { describeUsedUp, FORM, LIST, OBSTACLES, describeLeft } from "./check-words.ts";
import { T, useSay } from "../../kit/reader.tsx";
import { CHECK_NOW, FormKey } from "../../kit/check-now.tsx";

function CompareLink({ id, url }: { id: string; url: string }) {
  const text = useSay()(LIST.compare);
  return (
    <a href={`/checks/compare?b=${id}`} aria-label={`${text} ${url}`}>
      {text}
    </a>
  );
}

const CHECK_LIST: ListDeclaration<CheckRow> = {
  name: "checks",
  hasVerdicts: true,
  order: "-at",
  columns: [
    urlColumn((id) => `/checks/${id}`),
    scoreColumn,
    verdictColumn,
    timeColumn("startedAt", LIST.when, "at"),
    pageColumn("id", LIST.change, (row) => <CompareLink {...row} />),
  ],
};

function NoChecks() {
  return (
    <>
      <p>
        <T text={LIST.empty} />
      </p>
      <pre>
        <code>shipscore check https://www.example.com/</code>
      </pre>
      <p class="soft">
        <T text={LIST.emptyHint} />{" "}
        <a href="/settings/api">
          <T text={LIST.settings} />
        </a>
        .
      </p>
    </>
  );
}

function CheckForm({ used, signedIn }: { used: number; signedIn: SignedInRequest }) {
  return (
    <>
      <Form action="/checks">
        <CheckFields remaining={quotaOfAccount(signedIn, used).remaining} />
      </Form>
      <p class="lead">
        <T text={LIST.lead} />
      </p>
    </>
  );
}

function CheckFields({ remaining }: { remaining: number }) {
  return (
    <>
      <AddressField
        name="url"
        label={FORM.field}
        placeholder="https://www.example.com/"
        hint={describeLeft(remaining)}
      >
        <button type="submit">
          <T text={CHECK_NOW} />
        </button>
      </AddressField>
      <label class="option">
        <input type="checkbox" name="preview" checked={useFormInput().values["preview"] === "on"} />{" "}
        <T text={FORM.preview} />
      </label>
      <FormKey />
    </>
  );
}

const PATH = "/checks";
const MAX_TITLE_LENGTH = 80;
const KEY = /^[\w-]{1,64}$/;

interface CheckPath {
  Params: { id: string };
}

/** Rethrows an error that is not about the check. */
function refusalOf(error: unknown, reply: FastifyReply): Refusal {
  if (isAppError(error, "url_refused")) return refuse({ url: describeRefusal(error.parameters) });
  if (isAppError(error, "quota_exceeded")) {
    const { askedAt, quota } = error.parameters;
    const next = new Date(askedAt.getTime() + secondsToNextMonth(askedAt) * 1000);
    const dayIn = (language: Language) => describeDay(next, { language, timeZone: null });
    const why = describeUsedUp(quota.limit, { fr: dayIn("fr"), en: dayIn("en") });
    refuseWith(reply, 429, error);
    return refuse({ url: why }, 429);
  }
  if (!(error instanceof AppError)) throw error;
  const { code }: AppError = error;
  const obstacle = OBSTACLES[code];
  if (obstacle === undefined) throw error;
  refuseWith(reply, 503, error);
  return refuse({ url: obstacle }, 503);
}

export function checkRoutes(door: FastifyInstance, deps: Deps, streams: Streams): void {
  const { sql } = deps.database;

  async function showList(request: FastifyRequest, reply: FastifyReply, refused?: Refusal) {
    const signedIn = getSignedIn(request);
    await beginRead(deps, request, signedIn.caller);
    const wanted = readListQuery(request, CHECK_LIST);
    const read = () => listChecks(sql, signedIn.caller, wanted);
    keepReadPermit(request, reply, wanted);
    const found = await read();
    if (found === undefined) throw new AppError("unauthorized", {});
    return sendList(request, reply, CHECK_LIST, {
      wanted,
      part: found.part,
      refused,
      title: LIST.title,
      heading: LIST.title,
      lead: <CheckForm used={found.used} signedIn={signedIn} />,
      empty: <NoChecks />,
    });
  }

  door.get(PATH, (request, reply) => showList(request, reply));

  door.post(PATH, async (request, reply) => {
    const { actor, language } = getSignedIn(request);
    const { url = "", preview, key = "" } = fieldsOf(request);
    const check = { url: completeUrl(url), preview: preview !== undefined, headers: {} };
    if (check.url === "") return showList(request, reply, refuse({ url: FORM.missing }));
    const formKey = KEY.test(key) ? key : request.id;
    try {
      const id = await startCheck(deps, actor, { request: check, formKey, language });
      return reply.redirect(`${PATH}/${id}`, 303);
    } catch (error) {
      return showList(request, reply, refusalOf(error, reply));
    }
  });

  door.get<CheckPath>(`${PATH}/:id`, async (request, reply) => {
    const signedIn = getSignedIn(request);
    const { language } = signedIn;
    const found = await getCheck(deps, signedIn, request.params.id);
    if (found.state !== "done") return sendPage(request, reply, pageOfUnfinished(found));
    const requested = parameterOf(request, "ruleset");
    const judged = await judgeReport(deps, signedIn, found, { language, ruleset: requested });
    const report = { ...judged, check: cleanCheck(judged.check) };
    const { url, score } = report.check;
    return sendPage(request, reply, {
      title: `Ship Score ${score}, ${oneLine(url.replace(/^https:\/\//, ""), MAX_TITLE_LENGTH)}`,
      script: COPY_SCRIPT,
      children: <CheckPage report={report} requested={requested} />,
      status: requested !== undefined && judged.changes === undefined ? 422 : 200,
    });
  });

  door.get<CheckPath>(`${PATH}/:id/events`, async (request, reply) => {
    const { actor, caller, language, sessionId } = getSignedIn(request);
    const { id } = request.params;
    const find = () => findCheckProgress(sql, caller, id);
    if ((await find()) === undefined) throw new AppError("check_not_found", {});
    return streams.send(
      reply,
      { owner: actor.accountId, session: sessionId },
      async (send, signal) => {
        for await (const made of watchChanges(deps, id, signal, find))
          if (made.state === "running") send("state", { text: describeProgress(made, language) });
      },
      { closesOldest: true },
    );
  });

  door.get<CheckPath>(`${PATH}/:id/evidence`, async (request, reply) => {
    const check = await getCheck(deps, getSignedIn(request), request.params.id);
    return reply
      .headers({ "content-disposition": `attachment; filename="${check.id}.json"` })
      .type("application/json; charset=utf-8")
      .send(await unpackText(getEvidence(check)));
  });
}
