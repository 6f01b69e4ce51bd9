import type { Sql } from "../../server/db/driver/sql.ts";
import type { Posted, Receiver } from "../../test/harness/receiver.ts";
import { waitUntil } from "../../test/harness/slow-site.ts";

/** What a target of alerts was sent, beside the incidents that there were. */
export interface Judged {
  incidents: number;
  /** Incidents that no message names. */
  unsent: string[];
  messages: number;
  sendings: number;
  /** Ids of messages that were sent with different texts. */
  differing: string[];
  /** What two messages of different ids tell. */
  doubled: string[];
}

interface Message {
  type: string;
  data: { incident: { id: string } };
}

/** All that was sent to the targets, once each incident is told or the time is over. */
export async function judgeMessages(sql: Sql, receiver: Receiver, maxMs: number): Promise<Judged> {
  const rows = await sql<{ id: string }>`select id from incidents`;
  const listPosted = (): Posted[] =>
    Array.from({ length: MAX_TARGETS }, (_, index) => receiver.posted(String(index))).flat();
  const findUnsent = () => {
    const named = new Set(listPosted().map(({ body }) => read(body).data.incident.id));
    return rows.map(({ id }) => id).filter((id) => !named.has(id));
  };
  await waitUntil("each incident is told", () => findUnsent().length === 0, maxMs).catch(() => {});
  const posted = listPosted();
  const texts = new Map<string, Set<string>>();
  const ids = new Map<string, Set<string>>();
  for (const { headers, body } of posted) {
    const id = String(headers["webhook-id"]);
    const { type, data } = read(body);
    add(texts, id, body);
    add(ids, `${type} ${data.incident.id}`, id);
  }
  return {
    incidents: rows.length,
    unsent: findUnsent(),
    messages: texts.size,
    sendings: posted.length,
    differing: findSeveral(texts),
    doubled: findSeveral(ids),
  };
}

const MAX_TARGETS = 1000;
const read = (body: string) => JSON.parse(body) as Message;

function add(sets: Map<string, Set<string>>, key: string, value: string): void {
  sets.set(key, (sets.get(key) ?? new Set()).add(value));
}

const findSeveral = (sets: ReadonlyMap<string, ReadonlySet<string>>): string[] =>
  [...sets].filter(([, values]) => values.size > 1).map(([key]) => key);
