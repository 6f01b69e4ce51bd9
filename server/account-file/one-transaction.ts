import type { Deps } from "../deps.ts";
import { toSql } from "../db/driver/sql.ts";

/** Asks once of each text, and again gives the answer that it had. */
function remember<More extends unknown[], Answer>(
  ask: (text: string, ...more: More) => Promise<Answer>,
): (text: string, ...more: More) => Promise<Answer> {
  const answers = new Map<string, Promise<Answer>>();
  return (text, ...more) => {
    const answer = answers.get(text) ?? ask(text, ...more);
    answers.set(text, answer);
    return answer;
  };
}

/** Vets each URL once, so that what was vetted before a transaction takes no time in it. */
export const rememberVetted = (deps: Deps): Deps => ({
  ...deps,
  probe: { ...deps.probe, vet: remember(deps.probe.vet) },
  poster: { ...deps.poster, vet: remember((...asked) => deps.poster.vet(...asked)) },
});

/**
 * Runs `change` with deps whose transactions are all this one, so that several verbs are done together or not at all. E-mails
 * wait for the commit.
 */
export async function inOneTransaction<Result>(
  deps: Deps,
  change: (joined: Deps) => Promise<Result>,
): Promise<Result> {
  const { database, mailer } = deps;
  let end = (_isCommitted: boolean): void => {};
  try {
    const result = await database.begin((sql, runScript) => {
      // The transaction may run twice.
      end(false);
      let isOpen = true;
      const ended = new Promise<boolean>((resolve) => {
        end = (isCommitted) => {
          isOpen = false;
          resolve(isCommitted);
        };
      });
      return change({
        ...deps,
        database: {
          ...database,
          sql: toSql((...statement) => (isOpen ? sql : database.sql)(...statement)),
          begin: (work) => work(sql, runScript),
        },
        mailer: mailer && {
          ...mailer,
          sendOnce: async (...mail) => {
            if (await ended) await mailer.sendOnce(...mail);
          },
        },
      });
    });
    end(true);
    return result;
  } catch (error) {
    end(false);
    throw error;
  }
}
