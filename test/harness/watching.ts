import { insertAccount } from "../../server/db/accounts/accounts.ts";
import { newId } from "../../server/db/id.ts";
import { insertProject } from "../../server/db/projects/projects.ts";
import type { Database } from "../../server/db/driver/sql.ts";

export async function watchAddresses(
  { sql }: Pick<Database, "sql">,
  urls: readonly string[],
): Promise<string[]> {
  const ownerId = newId("acc");
  await insertAccount(sql, {
    id: ownerId,
    email: `${ownerId.toLowerCase()}@example.com`,
    plan: "team",
  });
  const ids: string[] = [];
  for (const url of urls) {
    const id = newId("prj");
    await insertProject(sql, { id, ownerId, name: new URL(url).hostname, url });
    ids.push(id);
  }
  return ids;
}
