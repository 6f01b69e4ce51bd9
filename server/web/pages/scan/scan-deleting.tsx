import { say } from "../../../../shared/report/words.ts";
import type { Language } from "../../../base/language.ts";
import { REPORT } from "./scan-words.ts";

interface DeletingProps {
  id: string;
  deleteKey: string | undefined;
  language: Language;
}

/** For the one who started a scan: the link to the page that deletes it, now or later. */
export function Deleting({ id, deleteKey, language }: DeletingProps) {
  if (deleteKey === undefined) return null;
  return (
    <p class="soft no-print">
      <a id="delete-link" class="soft" href={`/scan/${id}/delete?key=${deleteKey}`}>
        {say(REPORT.deleteTitle, language)}
      </a>{" "}
      {say(REPORT.deleteLead, language)}
    </p>
  );
}
