import type { ComponentChildren } from "preact";

interface FieldProps {
  name: string;
  label: string;
  value?: string;
  hint?: string;
  /** What is wrong with the value, and what to do. */
  problem?: string | undefined;
  placeholder?: string;
  /** The button that stands beside the field. */
  children?: ComponentChildren;
}

/** A field for an address, with its label, its hint and, where the value was refused, why. */
export function AddressField(props: FieldProps) {
  const { name, label, value = "", hint, problem, placeholder, children } = props;
  const notes = [problem && `${name}-problem`, hint && `${name}-hint`].filter(Boolean).join(" ");
  return (
    <div class="field">
      <label for={name}>{label}</label>
      {problem !== undefined && (
        <p class="problem" id={`${name}-problem`}>
          {problem}
        </p>
      )}
      <div class="row">
        <input
          id={name}
          name={name}
          type="text"
          inputMode="url"
          autocomplete="url"
          autocapitalize="none"
          spellcheck={false}
          value={value}
          placeholder={placeholder}
          aria-invalid={problem === undefined ? undefined : "true"}
          aria-describedby={notes === "" ? undefined : notes}
        />
        {children}
      </div>
      {hint !== undefined && (
        <p class="hint" id={`${name}-hint`}>
          {hint}
        </p>
      )}
    </div>
  );
}

interface CopyFieldProps {
  id: string;
  label: string;
  value: string;
  hint?: string;
}

/** A text to copy, which can be selected but not changed. */
export function CopyField({ id, label, value, hint }: CopyFieldProps) {
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input
        id={id}
        value={value}
        readOnly
        spellcheck={false}
        aria-describedby={hint === undefined ? undefined : `${id}-hint`}
      />
      {hint !== undefined && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  );
}

interface NoticeProps {
  tone: "warn" | "bad";
  children: ComponentChildren;
}

/** A short text apart from the page's own. */
export function Notice({ tone, children }: NoticeProps) {
  return <div class={`notice ${tone}`}>{children}</div>;
}

interface FigureTableProps {
  label: string;
  /** The headings of the columns, where they do not go without saying. */
  head?: readonly [ComponentChildren, ComponentChildren];
  /** What is counted or timed, and the figure. */
  rows: readonly (readonly [ComponentChildren, ComponentChildren])[];
}

/** A table of two columns, the second of figures. */
export function FigureTable({ label, head, rows }: FigureTableProps) {
  return (
    <table class="figures" aria-label={label}>
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
