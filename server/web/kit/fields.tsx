import { type ComponentChildren, createContext } from "preact";
import { FieldProblem } from "./problems.tsx";
import { T, useSay, type Wording, useReader } from "./reader.tsx";
import { useContext } from "preact/hooks";
import { NO_INPUT, type FormInput } from "./forms.ts";

const OfForm = createContext(NO_INPUT);

interface FormProps {
  id?: string;
  /** The path, with the fragment of the response to show. */
  action: string;
  /** Without it, the children contain the buttons. */
  submit?: Wording;
  /** A second click must not create a second secret. Needs `SECRET_SCRIPT`. */
  isOnce?: boolean;
  children: ComponentChildren;
}

export function useInputOf(action: string): FormInput {
  const { typed } = useReader();
  return typed.action === action.split("#", 1)[0] ? typed : NO_INPUT;
}

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

export const useFormInput = () => useContext(OfForm);

interface LabelledProps {
  name: string;
  /** Default: the name. Needed if several forms of a page have the field. */
  id?: string | undefined;
  label: Wording;
  hint?: Wording | undefined;
  /** A problem that does not come from the form's refusal. */
  problem?: ComponentChildren;
  children?: ComponentChildren;
}

interface FieldProps extends LabelledProps {
  value?: string | undefined;
  placeholder?: string;
  /** No page repeats the input. */
  isSecret?: boolean;
}

function useProblem({ name, problem }: Pick<LabelledProps, "name" | "problem">) {
  const typed = useFormInput().problems[name];
  return problem ?? (typed && <T text={typed} />);
}

function useControlAttributes(props: LabelledProps) {
  const { name, id = name, hint } = props;
  const isWrong = useProblem(props) !== undefined;
  return {
    id,
    name,
    "aria-invalid": isWrong ? ("true" as const) : undefined,
    // For browsers without script. A fragment in the URL overrides it.
    autoFocus: isWrong,
    "aria-describedby":
      [isWrong && `${id}-problem`, hint && `${id}-hint`].filter(Boolean).join(" ") || undefined,
  };
}

function useValue({ name, value, isSecret = false }: FieldProps) {
  const typed = useFormInput().values[name];
  return isSecret ? undefined : (typed ?? value);
}

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

const URL_ATTRIBUTES = {
  type: "text",
  inputMode: "url",
  autocapitalize: "none",
  spellcheck: false,
};

interface LineProps extends FieldProps {
  type?: InputType | "address";
  autocomplete?: string;
  isRequired?: boolean;
  /** Written into the page unescaped, so they must contain no markup. */
  suggestions?: readonly string[];
}

export function Field({ children, ...props }: LineProps) {
  const { type = "text", autocomplete = "off", isRequired = false, suggestions } = props;
  // As `object`, because JSX allows `list` only for some types.
  const kind: object =
    type === "address" ? URL_ATTRIBUTES : { type, min: type === "number" ? "1" : undefined };
  const list = suggestions && `${props.id ?? props.name}-list`;
  const value = useValue({ isSecret: type === "password", ...props });
  return (
    <Labelled {...props}>
      <div class="row">
        <input
          {...useControlAttributes(props)}
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

export const AddressField = (props: FieldProps) => (
  <Field {...props} type="address" autocomplete="url" />
);

export function TextArea({ rows = 6, ...props }: FieldProps & { rows?: number }) {
  return (
    <Labelled {...props}>
      <textarea
        {...useControlAttributes(props)}
        rows={rows}
        spellcheck={false}
        placeholder={props.placeholder}
      >
        {useValue(props)}
      </textarea>
    </Labelled>
  );
}

interface SelectProps extends FieldProps {
  options: readonly (readonly [value: string, label: Wording])[];
}

export function Select({ options, children, ...props }: SelectProps) {
  const value = useValue(props);
  return (
    <Labelled {...props}>
      <div class="row">
        <select {...useControlAttributes(props)}>
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
  boxes: readonly { name: string; value?: string; label: Wording; isTicked: boolean }[];
}

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
