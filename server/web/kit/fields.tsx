import type { ComponentChildren } from "preact";
import { useTyped } from "./form.tsx";
import { AtField } from "./problems.tsx";
import { Say, useSay, type Wording } from "./reader.tsx";

interface LabelledProps {
  name: string;
  /** The name by default; something else where several forms of a page have the field. */
  id?: string | undefined;
  label: Wording;
  hint?: Wording | undefined;
  /** What is wrong with the value, and what to do, if it is not what is wrong with what was typed. */
  problem?: ComponentChildren;
  /** The control, or the button that stands beside it. */
  children?: ComponentChildren;
}

interface FieldProps extends LabelledProps {
  /** What it shows unless something was typed. */
  value?: string | undefined;
  placeholder?: string;
  /** True for what no page repeats. */
  isSecret?: boolean;
}

/** What is wrong with the value of a field. */
function useProblem({ name, problem }: Pick<LabelledProps, "name" | "problem">) {
  const typed = useTyped().problems[name];
  return problem ?? (typed && <Say it={typed} />);
}

/** What a control says of itself to those who cannot see its label, its hint and what is wrong with it. */
function useNotes(props: LabelledProps) {
  const { name, id = name, hint } = props;
  const isWrong = useProblem(props) !== undefined;
  return {
    id,
    name,
    "aria-invalid": isWrong ? ("true" as const) : undefined,
    // Without script: but a browser whose address has a fragment goes there instead.
    autoFocus: isWrong,
    "aria-describedby":
      [isWrong && `${id}-problem`, hint && `${id}-hint`].filter(Boolean).join(" ") || undefined,
  };
}

function useValue({ name, value, isSecret = false }: FieldProps) {
  const typed = useTyped().values[name];
  return isSecret ? undefined : (typed ?? value);
}

/** A control with its label, its hint and, where the value was refused, why. */
function Labelled(props: LabelledProps) {
  const { name, id = name, label, hint, children } = props;
  const say = useSay();
  const problem = useProblem(props);
  return (
    <div class="field">
      <label for={id}>{say(label)}</label>
      {problem !== undefined && (
        <div class="problem" id={`${id}-problem`}>
          <AtField id={id} label={say(label)} />
          {problem}
        </div>
      )}
      {children}
      {hint !== undefined && (
        <p class="hint" id={`${id}-hint`}>
          {say(hint)}
        </p>
      )}
    </div>
  );
}

interface InputProps extends ReturnType<typeof useNotes> {
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

interface LineProps extends FieldProps {
  type?: keyof typeof INPUTS;
  autocomplete?: string;
  isRequired?: boolean;
  /** What can be chosen by typing a part of it: names of our own, without markup. */
  suggestions?: readonly string[];
}

/** A field of one line. */
export function Field({ children, ...props }: LineProps) {
  const { type = "text", autocomplete = "off", isRequired = false, suggestions } = props;
  const Input = INPUTS[type];
  const list = suggestions && `${props.id ?? props.name}-list`;
  const value = useValue({ isSecret: type === "password", ...props });
  return (
    <Labelled {...props}>
      <div class="row">
        <Input
          {...useNotes(props)}
          autocomplete={autocomplete}
          value={value}
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
          {...useNotes(props)}
          type="text"
          inputMode="url"
          autocomplete="url"
          autocapitalize="none"
          spellcheck={false}
          value={useValue(props) ?? ""}
          placeholder={props.placeholder}
        />
        {children}
      </div>
    </Labelled>
  );
}

/** A field of several lines, such as one address a line. */
export function TextArea({ rows = 6, ...props }: FieldProps & { rows?: number }) {
  return (
    <Labelled {...props}>
      <textarea {...useNotes(props)} rows={rows} spellcheck={false} placeholder={props.placeholder}>
        {useValue(props)}
      </textarea>
    </Labelled>
  );
}

interface SelectProps extends FieldProps {
  /** What is sent, and what is read. */
  options: readonly (readonly [value: string, label: Wording])[];
}

/** A choice of one. */
export function Select({ options, children, ...props }: SelectProps) {
  const say = useSay();
  const value = useValue(props);
  return (
    <Labelled {...props}>
      <div class="row">
        <select {...useNotes(props)}>
          {options.map(([each, label]) => (
            <option value={each === label ? undefined : each} selected={each === value}>
              {say(label)}
            </option>
          ))}
        </select>
        {children}
      </div>
    </Labelled>
  );
}

interface CheckboxesProps extends Pick<LabelledProps, "name" | "label"> {
  /** Each is sent, as `on` if it has no value, if it is ticked. */
  boxes: readonly { name: string; value?: string; label: Wording; isTicked: boolean }[];
}

/** A choice of some. */
export function Checkboxes({ name, label, boxes }: CheckboxesProps) {
  const say = useSay();
  const { values } = useTyped();
  const problem = useProblem({ name });
  const problemId = problem === undefined ? undefined : `${name}-problem`;
  const isTyped = Object.keys(values).length > 0;
  return (
    <fieldset class="field" id={name} aria-describedby={problemId}>
      <legend>{say(label)}</legend>
      {problem && (
        <div class="problem" id={problemId}>
          <AtField id={name} label={say(label)} />
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
            checked={isTyped ? box.name in values : box.isTicked}
            aria-invalid={problem === undefined ? undefined : "true"}
            aria-describedby={problemId}
          />{" "}
          {say(box.label)}
        </label>
      ))}
    </fieldset>
  );
}
