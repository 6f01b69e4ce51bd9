import type { Sql } from "../driver/sql.ts";
import { isFound } from "../driver/rows.ts";

export const useChallenge = (sql: Sql, challenge: string, expiresAt: Date) =>
  isFound(sql`
    insert into used_challenges (challenge, expires_at)
    select ${challenge}, ${expiresAt} where ${expiresAt}::timestamptz > now()
    on conflict (challenge) do nothing returning challenge`);
