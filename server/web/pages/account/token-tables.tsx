import type { ComponentChildren } from "preact";
import { T, type Wording } from "../../kit/reader.tsx";
import type { ApiSettings, TokenSummary } from "../../../db/accounts/tokens.ts";
import { oneLine } from "../../../base/syntax/text.ts";
import { Button, Id } from "../../kit/components.tsx";
import { Empty, Pager, Section, Table } from "../../kit/layout.tsx";
import { Day, Time } from "../../kit/time.tsx";
import { API_WORDS as WORDS } from "./api-words.ts";

const MAX_SHOWN = 100;

export const nameToken = ({ name }: Pick<TokenSummary, "name">): string => oneLine(name, MAX_SHOWN);

interface TokenTableProps<Token> {
  tokens: readonly Token[];
  last?: Wording;
  children: (token: Token) => ComponentChildren;
}

function TokenTable<Token extends TokenSummary>(props: TokenTableProps<Token>) {
  const { tokens, last = "", children } = props;
  return (
    <Table
      head={[WORDS.name, WORDS.created, WORDS.lastUse, last]}
      rows={tokens.map((token) => ({
        key: token.id,
        cells: [
          <>
            {nameToken(token)}
            <br />
            <Id id={token.id} />
          </>,
          <Day at={token.createdAt} />,
          token.lastUsedAt === null ? <T text={WORDS.neverUsed} /> : <Time at={token.lastUsedAt} />,
          children(token),
        ],
      }))}
    />
  );
}

export function ActiveTokens({ settings: { active } }: { settings: Pick<ApiSettings, "active"> }) {
  if (active.length === 0)
    return (
      <Empty>
        <p>
          <T text={WORDS.none} />
        </p>
      </Empty>
    );
  return (
    <TokenTable tokens={active}>
      {(token) => (
        <form action={`/settings/api/tokens/${token.id}/revoke`}>
          <Button label={WORDS.revoke} on={nameToken(token)} tone="second" />
        </form>
      )}
    </TokenTable>
  );
}

interface RevokedProps {
  settings: Pick<ApiSettings, "revoked" | "older">;
  isFirst: boolean;
}

export function RevokedTokens({ settings: { revoked, older }, isFirst }: RevokedProps) {
  if (revoked.length === 0 && isFirst) return null;
  return (
    <Section id="revoked" title={WORDS.revokedTokens}>
      <TokenTable tokens={revoked} last={WORDS.revoked}>
        {(token) => <Day at={token.revokedAt} />}
      </TokenTable>
      <Pager
        first={isFirst ? undefined : "/settings/api#revoked"}
        next={older && `/settings/api?before=${older}#revoked`}
      />
    </Section>
  );
}
