import { say } from "../../../shared/report/words.ts";
import type { ApiSettings, TokenSummary } from "../../db/tokens.ts";
import { oneLine } from "../../syntax/one-line.ts";
import type { TimeReader } from "../page/age.ts";
import { Day, Time } from "../page/time.tsx";
import { API_WORDS as WORDS } from "./api-words.ts";

const MAX_SHOWN = 100;

/** A token's name as it is shown. */
export const nameToken = ({ name }: Pick<TokenSummary, "name">): string => oneLine(name, MAX_SHOWN);

interface TablesProps {
  settings: Pick<ApiSettings, "now" | "active" | "revoked" | "older">;
  visit: TimeReader;
}

interface RowProps {
  token: TokenSummary;
  now: Date;
  visit: TimeReader;
}

/** What the rows of all tokens begin with. */
function TokenCells({ token, now, visit }: RowProps) {
  const { id, createdAt, lastUsedAt } = token;
  return (
    <>
      <th scope="row">
        {nameToken(token)}
        <br />
        <code>{id}</code>
      </th>
      <td>
        <Day at={createdAt} visit={visit} />
      </td>
      <td>
        {lastUsedAt === null ? (
          say(WORDS.neverUsed, visit.language)
        ) : (
          <Time at={lastUsedAt} now={now} visit={visit} />
        )}
      </td>
    </>
  );
}

function Head({ last, visit: { language } }: { last: keyof typeof WORDS; visit: TimeReader }) {
  const columns = ["name", "created", "lastUse", last] as const;
  return (
    <thead>
      <tr>
        {columns.map((column) => (
          <th scope="col" key={column}>
            {say(WORDS[column], language)}
          </th>
        ))}
      </tr>
    </thead>
  );
}

/** The tokens that work, each with the button that leads to the page that asks whether to revoke it. */
export function ActiveTokens({ settings: { active, now }, visit }: TablesProps) {
  const revoke = say(WORDS.revoke, visit.language);
  if (active.length === 0) return <p>{say(WORDS.none, visit.language)}</p>;
  return (
    <table aria-labelledby="tokens">
      <Head last="change" visit={visit} />
      <tbody>
        {active.map((token) => (
          <tr key={token.id}>
            <TokenCells token={token} now={now} visit={visit} />
            <td>
              <form action={`/settings/api/tokens/${token.id}/revoke`}>
                <button type="submit" class="plain" aria-label={`${revoke} ${nameToken(token)}`}>
                  {revoke}
                </button>
              </form>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** The tokens that are revoked, the last first, a page at a time. */
export function RevokedTokens({
  settings: { revoked, now, older },
  isFirst,
  visit,
}: TablesProps & { isFirst: boolean }) {
  if (revoked.length === 0 && isFirst) return null;
  const { language } = visit;
  return (
    <>
      <h3 id="revoked">{say(WORDS.revokedTokens, language)}</h3>
      <table aria-labelledby="revoked">
        <Head last="revoked" visit={visit} />
        <tbody>
          {revoked.map((token) => (
            <tr key={token.id}>
              <TokenCells token={token} now={now} visit={visit} />
              <td>
                <Day at={token.revokedAt} visit={visit} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <p class="actions">
        {!isFirst && <a href="/settings/api#revoked">{say(WORDS.newest, language)}</a>}
        {older !== undefined && (
          <a href={`/settings/api?before=${older}#revoked`}>{say(WORDS.older, language)}</a>
        )}
      </p>
    </>
  );
}
