import { useSay } from "../../kit/reader.tsx";
import { REPORT } from "./scan-words.ts";

interface DeletingProps {
  id: string;
  deleteKey: string | undefined;
}

/** For the one who started a scan: the link to the page that deletes it, now or later. */
export function Deleting({ id, deleteKey }: DeletingProps) {
  const say = useSay();
  if (deleteKey === undefined) return null;
  return (
    <p class="soft no-print">
      <a id="delete-link" class="soft" href={`/scan/${id}/delete?key=${deleteKey}`}>
        {say(REPORT.deleteTitle)}
      </a>{" "}
      {say(REPORT.deleteLead)}
    </p>
  );
}
