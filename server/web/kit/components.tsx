import type { ComponentChildren } from "preact";
import { describeCount } from "../../../shared/report/words.ts";
import { CopyButton } from "./copy.tsx";
import { useReader, useSay, type Wording } from "./reader.tsx";

interface MeterProps {
  /** The id of the heading that says what is counted. */
  labelledBy: string;
  used: number;
  limit: number;
}

/** How much of a limit is used, in figures and as a bar. */
export function Meter({ labelledBy, used, limit }: MeterProps) {
  const { language } = useReader();
  const figures = [used, limit].map((count) => describeCount(count, language)).join(" / ");
  return (
    <p class="meter">
      <span>{figures}</span>{" "}
      <progress aria-labelledby={labelledBy} value={Math.min(used, limit)} max={limit}>
        {figures}
      </progress>
    </p>
  );
}

interface CopyFieldProps {
  id: string;
  label: Wording;
  value: string;
  hint?: Wording;
  /** What is copied; the label by default. */
  name?: Wording;
  /** What stands beside the field and its button. */
  children?: ComponentChildren;
}

/** A text to copy, which can be selected but not changed, and the button that copies it. */
export function CopyField({ id, label, value, hint, name = label, children }: CopyFieldProps) {
  const say = useSay();
  return (
    <div class="field">
      <label for={id}>{say(label)}</label>
      <div class="row">
        <input
          id={id}
          value={value}
          readOnly
          autocomplete="off"
          spellcheck={false}
          aria-describedby={hint === undefined ? undefined : `${id}-hint`}
        />
        <CopyButton of={id} name={name} />
        {children}
      </div>
      {hint !== undefined && (
        <p class="hint" id={`${id}-hint`}>
          {say(hint)}
        </p>
      )}
    </div>
  );
}

interface NoticeProps {
  tone: "good" | "warn" | "bad";
  children: ComponentChildren;
}

/** A short text apart from the page's own. */
export function Notice({ tone, children }: NoticeProps) {
  return <div class={`notice ${tone}`}>{children}</div>;
}

interface FigureTableProps {
  label: Wording;
  /** The headings of the columns, where they do not go without saying. */
  head?: readonly [ComponentChildren, ComponentChildren];
  /** What is counted or timed, and the figure. */
  rows: readonly (readonly [ComponentChildren, ComponentChildren])[];
}

/** A table of two columns, the second of figures. */
export function FigureTable({ label, head, rows }: FigureTableProps) {
  const say = useSay();
  return (
    <table class="figures" aria-label={say(label)}>
      {head && (
        <thead>
          <tr>
            {head.map((cell) => (
              <th scope="col">{cell}</th>
            ))}
          </tr>
        </thead>
      )}
      <tbody>
        {rows.map(([name, figure]) => (
          <tr>
            <th scope="row">{name}</th>
            <td>{figure}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
