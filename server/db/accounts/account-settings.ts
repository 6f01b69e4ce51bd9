import { isLiveSession } from "./callers.ts";
import type { Language } from "../../../shared/language.ts";
import type { CallerRow } from "./callers.ts";
import type { SessionSummary } from "./sessions.ts";
import { fragment } from "../driver/fragment.ts";
import type { Sql } from "../driver/sql.ts";
import { asList } from "../paged-lists.ts";
import { firstRow } from "../driver/rows.ts";

export interface AccountSettings {
  /** Null means the browser's language. */
  language: Language | null;
  sessions: readonly SessionSummary[];
  projects: readonly { id: string; name: string }[];
}

export const findAccountSettings = (sql: Sql, caller: CallerRow) =>
  firstRow(sql.read<AccountSettings>`
    select language,
      ${asList(
        fragment`
        select id, browser, address, created_at as "createdAt", last_used_at as "lastUsedAt"
        from sessions where sessions.account_id = accounts.id and ${isLiveSession}
        order by last_used_at desc, created_at desc, id`,
        "createdAt lastUsedAt",
      )} as sessions,
      ${asList(fragment`select id, name from projects where owner_id = accounts.id order by name, id`)} as projects
    from ${caller} join accounts on accounts.id = caller.account_id`);
