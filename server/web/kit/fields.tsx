import { type ComponentChildren, createContext } from "preact";
import { FieldProblem } from "./problems.tsx";
import { T, useSay, type Wording, useReader } from "./reader.tsx";
import { useContext } from "preact/hooks";
import { NO_INPUT, type FormInput } from "./forms.ts";

const OfForm = createContext(NO_INPUT);

interface FormProps {
  id?: string;
  /** The path that it is sent to, and the fragment at which its answer is to be looked at. */
  action: string;
  /** The button at its end; a form without has its buttons in it. */
  submit?: Wording;
  /** True where a second click must not make a second secret: `SECRET_SCRIPT` sees to it. */
  isOnce?: boolean;
  children: ComponentChildren;
}

/** What was typed into the form that is sent to a path. */
export function useInputOf(action: string): FormInput {
  const { typed } = useReader();
  return typed.action === action.split("#", 1)[0] ? typed : NO_INPUT;
}

/** A form, whose fields show what was typed into it if it was refused, and what is wrong. */
export function Form({ id, action, submit, isOnce, children }: FormProps) {
  return (
    <OfForm.Provider value={useInputOf(action)}>
      <form id={id} method="post" action={action} data-once={isOnce}>
        {children}
        {submit && (
          <p class="actions">
            <button type="submit">
              <T text={submit} />
            </button>
          </p>
        )}
      </form>
    </OfForm.Provider>
  );
}

/** What was typed into the form that a field stands in. */
export const useFormInput = () => useContext(OfForm);

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
  const typed = useFormInput().problems[name];
  return problem ?? (typed && <T text={typed} />);
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
  const typed = useFormInput().values[name];
  return isSecret ? undefined : (typed ?? value);
}

/** Why the value of a field was refused. */
function ProblemOf({
  id,
  label,
  problem,
}: Pick<LabelledProps, "label" | "problem"> & { id: string }) {
  const say = useSay();
  if (problem === undefined) return null;
  return (
    <div class="problem" id={`${id}-problem`}>
      <FieldProblem id={id} label={say(label)} />
      {problem}
    </div>
  );
}

/** A control with its label, its hint and, where the value was refused, why. */
function Labelled(props: LabelledProps) {
  const { name, id = name, label, hint, children } = props;
  const problem = useProblem(props);
  return (
    <div class="field">
      <label for={id}>
        <T text={label} />
      </label>
      <ProblemOf id={id} label={label} problem={problem} />
      {children}
      {hint !== undefined && (
        <p class="hint" id={`${id}-hint`}>
          <T text={hint} />
        </p>
      )}
    </div>
  );
}

type InputType = "text" | "email" | "password" | "number" | "date" | "time" | "datetime-local";

/** What a field for an address has, where others have only their type. */
const ADDRESS = { type: "text", inputMode: "url", autocapitalize: "none", spellcheck: false };

interface LineProps extends FieldProps {
  type?: InputType | "address";
  autocomplete?: string;
  isRequired?: boolean;
  /** What can be chosen by typing a part of it: names of our own, without markup. */
  suggestions?: readonly string[];
}

/** A field of one line. */
export function Field({ children, ...props }: LineProps) {
  const { type = "text", autocomplete = "off", isRequired = false, suggestions } = props;
  // The compiler lets only some types have a list.
  const kind: object =
    type === "address" ? ADDRESS : { type, min: type === "number" ? "1" : undefined };
  const list = suggestions && `${props.id ?? props.name}-list`;
  const value = useValue({ isSecret: type === "password", ...props });
  return (
    <Labelled {...props}>
      <div class="row">
        <input
          {...useNotes(props)}
          autocomplete={autocomplete}
          value={type === "address" ? (value ?? "") : value}
          placeholder={props.placeholder}
          required={isRequired}
          list={list}
          {...kind}
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
export const AddressField = (props: FieldProps) => (
  <Field {...props} type="address" autocomplete="url" />
);

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
  const value = useValue(props);
  return (
    <Labelled {...props}>
      <div class="row">
        <select {...useNotes(props)}>
          {options.map(([each, label]) => (
            <option value={each === label ? undefined : each} selected={each === value}>
              <T text={label} />
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
  const { values } = useFormInput();
  const problem = useProblem({ name });
  const problemId = problem === undefined ? undefined : `${name}-problem`;
  const isTyped = Object.keys(values).length > 0;
  return (
    <fieldset class="field" id={name} aria-describedby={problemId}>
      <legend>
        <T text={label} />
      </legend>
      <ProblemOf id={name} label={label} problem={problem} />
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
          <T text={box.label} />
        </label>
      ))}
    </fieldset>
  );
}
