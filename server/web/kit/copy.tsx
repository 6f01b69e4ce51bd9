import { useSay, type Wording } from "./reader.tsx";

const WORDS = {
  copy: { fr: "Copier", en: "Copy" },
  copied: { fr: "Copié", en: "Copied" },
};

interface CopyButtonProps {
  /** The id of what is copied: the value of a field, or a text. */
  of: string;
  /** What it is, for those who do not see where the button stands. */
  name: Wording;
}

/** A button that copies a text. It is there where `COPY_SCRIPT` runs; without, the text can be selected. */
export function CopyButton({ of, name }: CopyButtonProps) {
  const say = useSay();
  const copy = say(WORDS.copy);
  return (
    <button
      type="button"
      class="second"
      hidden
      data-copies={of}
      data-done={say(WORDS.copied)}
      aria-label={`${copy} ${say(name)}`}
    >
      {copy}
    </button>
  );
}

/** The id of something, by which the API and the commands know it. */
export function Id({ id }: { id: string }) {
  return (
    <span class="id">
      <code id={id}>{id}</code> <CopyButton of={id} name={id} />
    </span>
  );
}

/** Where `COPY_SCRIPT` says that something was copied. */
export function CopyStatus() {
  return <p id="copied" class="hint" role="status"></p>;
}

/** A page without https may not use the clipboard: it selects the text and has the browser copy it. */
export const COPY_SCRIPT = `
for (const button of document.querySelectorAll("[data-copies]")) {
  const source = document.getElementById(button.dataset.copies);
  const label = button.textContent;
  button.hidden = false;
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(source.value ?? source.textContent);
    } catch {
      if (source.select) source.select();
      else getSelection().selectAllChildren(source);
      if (!document.execCommand("copy")) return;
    }
    button.textContent = document.getElementById("copied").textContent = button.dataset.done;
    setTimeout(() => { button.textContent = label; }, 2000);
  });
}
`.replaceAll(/\n +/g, "\n");
