import type { ComponentChildren } from "preact";
import { AtField } from "./problems.tsx";
import { describeCount } from "../../../shared/report/words.ts";
import type { Language } from "../../base/language.ts";

interface FieldProps {
  name: string;
  /** The name by default; something else where several forms of a page have the field. */
  id?: string;
  label: string;
  value?: string | undefined;
  hint?: string | undefined;
  /** What is wrong with the value, and what to do. */
  problem?: string | undefined;
  placeholder?: string;
  type?: keyof typeof INPUTS;
  autocomplete?: string;
  isRequired?: boolean;
  /** What can be chosen by typing a part of it: names of our own, without markup. */
  suggestions?: readonly string[];
  /** The button that stands beside the field. */
  children?: ComponentChildren;
}

interface NotesProps extends Pick<FieldProps, "name" | "id" | "label" | "hint"> {
  problem?: ComponentChildren;
  children: ComponentChildren;
}

/** What a control says of itself to those who cannot see its label, its hint and what is wrong with it. */
const notesOf = ({
  name,
  id = name,
  hint,
  problem,
}: Pick<NotesProps, "name" | "id" | "hint" | "problem">) => ({
  id,
  name,
  "aria-invalid": problem === undefined ? undefined : ("true" as const),
  // Without script: but a browser whose address has a fragment goes there instead.
  autoFocus: problem !== undefined,
  "aria-describedby":
    [problem && `${id}-problem`, hint && `${id}-hint`].filter(Boolean).join(" ") || undefined,
});

/** A control with its label, its hint and, where the value was refused, why. */
function Labelled({ name, id = name, label, hint, problem, children }: NotesProps) {
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {problem !== undefined && (
        <div class="problem" id={`${id}-problem`}>
          <AtField id={id} label={label} />
          {problem}
        </div>
      )}
      {children}
      {hint !== undefined && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  );
}

interface InputProps extends ReturnType<typeof notesOf> {
  autocomplete: string;
  value: string | undefined;
  placeholder: string | undefined;
  required: boolean;
  list: string | undefined;
}

const INPUTS = {
  text: (props: InputProps) => <input {...props} type="text" />,
  email: (props: InputProps) => <input {...props} type="email" />,
  password: (props: InputProps) => <input {...props} type="password" />,
  number: (props: InputProps) => <input {...props} type="number" min="1" />,
  date: (props: InputProps) => <input {...props} type="date" />,
  time: (props: InputProps) => <input {...props} type="time" />,
  "datetime-local": (props: InputProps) => <input {...props} type="datetime-local" />,
};

/** A field of one line. */
export function Field({ children, ...props }: FieldProps) {
  const { type = "text", autocomplete = "off", isRequired = false, suggestions } = props;
  const Input = INPUTS[type];
  const list = suggestions && `${props.id ?? props.name}-list`;
  return (
    <Labelled {...props}>
      <div class="row">
        <Input
          {...notesOf(props)}
          autocomplete={autocomplete}
          value={type === "password" ? undefined : props.value}
          placeholder={props.placeholder}
          required={isRequired}
          list={list}
        />
        {suggestions && (
          <datalist
            id={list}
            dangerouslySetInnerHTML={{
              __html: suggestions.map((one) => `<option>${one}`).join(""),
            }}
          />
        )}
        {children}
      </div>
    </Labelled>
  );
}

/** A field for an address of a page. */
export function AddressField({ children, ...props }: FieldProps) {
  return (
    <Labelled {...props}>
      <div class="row">
        <input
          {...notesOf(props)}
          type="text"
          inputMode="url"
          autocomplete="url"
          autocapitalize="none"
          spellcheck={false}
          value={props.value ?? ""}
          placeholder={props.placeholder}
        />
        {children}
      </div>
    </Labelled>
  );
}

interface TextAreaProps extends Omit<FieldProps, "problem"> {
  rows?: number;
  /** What is wrong, which may be several things. */
  problem?: ComponentChildren;
}

/** A field of several lines, such as one address a line. */
export function TextArea({ rows = 6, ...props }: TextAreaProps) {
  return (
    <Labelled {...props}>
      <textarea {...notesOf(props)} rows={rows} spellcheck={false} placeholder={props.placeholder}>
        {props.value}
      </textarea>
    </Labelled>
  );
}

interface SelectProps extends Omit<NotesProps, "children"> {
  value: string;
  /** What is sent, and what is read. */
  options: readonly (readonly [value: string, label: string])[];
  /** The button that stands beside the field. */
  children?: ComponentChildren;
}

/** A choice of one. */
export function Select({ value, options, children, ...props }: SelectProps) {
  return (
    <Labelled {...props}>
      <div class="row">
        <select {...notesOf(props)}>
          {options.map(([each, label]) => (
            <option value={each === label ? undefined : each} selected={each === value}>
              {label}
            </option>
          ))}
        </select>
        {children}
      </div>
    </Labelled>
  );
}

interface CheckboxesProps {
  /** The id of the group. */
  name: string;
  label: string;
  problem: string | undefined;
  /** Each is sent, as `on` if it has no value, if it is ticked. */
  boxes: readonly { name: string; value?: string; label: string; isTicked: boolean }[];
}

/** A choice of some. */
export function Checkboxes({ name, label, problem, boxes }: CheckboxesProps) {
  const problemId = problem === undefined ? undefined : `${name}-problem`;
  return (
    <fieldset class="field" id={name} aria-describedby={problemId}>
      <legend>{label}</legend>
      {problem !== undefined && (
        <div class="problem" id={problemId}>
          <AtField id={name} label={label} />
          {problem}
        </div>
      )}
      {boxes.map((box, index) => (
        <label>
          <input
            type="checkbox"
            autoFocus={problem !== undefined && index === 0}
            name={box.name}
            value={box.value}
            checked={box.isTicked}
            aria-invalid={problem === undefined ? undefined : "true"}
            aria-describedby={problemId}
          />{" "}
          {box.label}
        </label>
      ))}
    </fieldset>
  );
}

interface MeterProps {
  /** The id of the heading that says what is counted. */
  labelledBy: string;
  used: number;
  limit: number;
  language: Language;
}

/** How much of a limit is used, in figures and as a bar. */
export function Meter({ labelledBy, used, limit, language }: MeterProps) {
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
  label: string;
  value: string;
  hint?: string;
  /** The button that stands beside the field. */
  children?: ComponentChildren;
}

/** A text to copy, which can be selected but not changed. */
export function CopyField({ id, label, value, hint, children }: CopyFieldProps) {
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <div class="row">
        <input
          id={id}
          value={value}
          readOnly
          autocomplete="off"
          spellcheck={false}
          aria-describedby={hint === undefined ? undefined : `${id}-hint`}
        />
        {children}
      </div>
      {hint !== undefined && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
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
