import { T } from "../../kit/reader.tsx";
import { renderDocument, type Site } from "../../kit/document.tsx";
import { Button } from "../../kit/components.tsx";
import type { Reader } from "../../kit/reader.tsx";
import { DELETION, REPORT } from "./scan-words.ts";

interface DeletePageOptions {
  reader: Reader;
  site: Site;
  id: string;
  url: string;
  deleteKey: string;
}

function DeletePage({ id, url, deleteKey }: Omit<DeletePageOptions, "reader" | "site">) {
  return (
    <>
      <h1>
        <T text={DELETION.title} />
      </h1>
      <p>{url}</p>
      <p>
        <T text={DELETION.lead} />
      </p>
      <form class="actions" method="post" action={`/scan/${id}/delete`}>
        <input type="hidden" name="key" value={deleteKey} />
        <Button label={REPORT.delete} tone="danger" />
        <a href={`/scan/${id}`}>
          <T text={DELETION.back} />
        </a>
      </form>
    </>
  );
}

/** Programs that open links must not delete the scan. */
export const renderDeletePage = ({ reader, site, ...scan }: DeletePageOptions): string =>
  renderDocument({
    ...reader,
    title: DELETION.title,
    site,
    isIndexed: false,
    children: <DeletePage {...scan} />,
  });

interface DeletingProps {
  id: string;
  deleteKey: string | undefined;
}

/** For the browser that started the scan. */
export function Deleting({ id, deleteKey }: DeletingProps) {
  if (deleteKey === undefined) return null;
  return (
    <p class="soft no-print">
      <a id="delete-link" class="soft" href={`/scan/${id}/delete?key=${deleteKey}`}>
        <T text={REPORT.deleteTitle} />
      </a>{" "}
      <T text={REPORT.deleteLead} />
    </p>
  );
}
