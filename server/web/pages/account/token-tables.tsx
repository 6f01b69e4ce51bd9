import type { ComponentChildren } from "preact";
import { say } from "../../../../shared/report/words.ts";
import type { ApiSettings, TokenSummary } from "../../../db/accounts/tokens.ts";
import { oneLine } from "../../../base/syntax/one-line.ts";
import type { TimeReader } from "../../kit/age.ts";
import { Id } from "../../kit/copy.tsx";
import { Empty, Pager, Section } from "../../kit/layout.tsx";
import { Table } from "../../kit/table.tsx";
import { Day, Time } from "../../kit/time.tsx";
import { API_WORDS as WORDS } from "./api-words.ts";

const MAX_SHOWN = 100;

/** A token's name as it is shown. */
export const nameToken = ({ name }: Pick<TokenSummary, "name">): string => oneLine(name, MAX_SHOWN);

interface TablesProps {
  settings: Pick<ApiSettings, "now" | "active" | "revoked" | "older">;
  reader: TimeReader;
}

interface TokenTableProps<Token> {
  labelledBy: string;
  tokens: readonly Token[];
  now: Date;
  reader: TimeReader;
  /** The last column: its heading, if it has one, and what stands in it. */
  last?: string;
  children: (token: Token) => ComponentChildren;
}

function TokenTable<Token extends TokenSummary>(props: TokenTableProps<Token>) {
  const { labelledBy, tokens, now, reader, last = "", children } = props;
  const columns = [WORDS.name, WORDS.created, WORDS.lastUse].map((one) =>
    say(one, reader.language),
  );
  return (
    <Table
      labelledBy={labelledBy}
      head={[...columns, last]}
      rows={tokens.map((token) => ({
        key: token.id,
        cells: [
          <>
            {nameToken(token)}
            <br />
            <Id id={token.id} language={reader.language} />
          </>,
          <Day at={token.createdAt} reader={reader} />,
          token.lastUsedAt === null ? (
            say(WORDS.neverUsed, reader.language)
          ) : (
            <Time at={token.lastUsedAt} now={now} reader={reader} />
          ),
          children(token),
        ],
      }))}
    />
  );
}

/** The tokens that work, each with the button that leads to the page that asks whether to revoke it. */
export function ActiveTokens({ settings: { active, now }, reader }: TablesProps) {
  const { language } = reader;
  const revoke = say(WORDS.revoke, language);
  if (active.length === 0)
    return (
      <Empty>
        <p>{say(WORDS.none, language)}</p>
      </Empty>
    );
  return (
    <TokenTable labelledBy="tokens" tokens={active} now={now} reader={reader}>
      {(token) => (
        <form action={`/settings/api/tokens/${token.id}/revoke`}>
          <button type="submit" class="second" aria-label={`${revoke} ${nameToken(token)}`}>
            {revoke}
          </button>
        </form>
      )}
    </TokenTable>
  );
}

/** The tokens that are revoked, the last first, a page at a time. */
export function RevokedTokens({
  settings: { revoked, now, older },
  isFirst,
  reader,
}: TablesProps & { isFirst: boolean }) {
  if (revoked.length === 0 && isFirst) return null;
  const { language } = reader;
  return (
    <Section id="revoked" title={say(WORDS.revokedTokens, language)}>
      <TokenTable
        labelledBy="revoked"
        tokens={revoked}
        now={now}
        reader={reader}
        last={say(WORDS.revoked, language)}
      >
        {(token) => <Day at={token.revokedAt} reader={reader} />}
      </TokenTable>
      <Pager
        first={isFirst ? undefined : "/settings/api#revoked"}
        next={older && `/settings/api?before=${older}#revoked`}
        language={language}
      />
    </Section>
  );
}
