import { say } from "../../../../shared/report/words.ts";
import type { Language } from "../../../base/language.ts";
import { REPORT } from "./scan-words.ts";

interface DeletingProps {
  id: string;
  deleteKey: string | undefined;
  origin: string | undefined;
  language: Language;
}

/** For the one who started a scan: how to delete it, now or later. */
export function Deleting({ id, deleteKey, origin = "", language }: DeletingProps) {
  if (deleteKey === undefined) return null;
  const path = `/scan/${id}/delete?key=${deleteKey}`;
  return (
    <section class="no-print">
      <h2>{say(REPORT.deleteTitle, language)}</h2>
      <p>{say(REPORT.deleteLead, language)}</p>
      <p>
        {say(REPORT.deleteLink, language)}{" "}
        <a id="delete-link" href={path}>
          {origin}
          {path}
        </a>
      </p>
      <form method="post" action={`/scan/${id}/delete`}>
        <button type="submit" class="danger">
          {say(REPORT.delete, language)}
        </button>
      </form>
    </section>
  );
}
