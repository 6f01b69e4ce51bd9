import { createContext, type ComponentChildren } from "preact";
import { useContext } from "preact/hooks";
import { NOTHING_TYPED, type Typed } from "./forms.ts";
import { useReader, useSay, type Wording } from "./reader.tsx";

const OfForm = createContext(NOTHING_TYPED);

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
export function useTypedInto(action: string): Typed {
  const { typed } = useReader();
  return typed.action === action.split("#", 1)[0] ? typed : NOTHING_TYPED;
}

/** A form, whose fields show what was typed into it if it was refused, or kept from a session that ended, and what is wrong. */
export function Form({ id, action, submit, isOnce, children }: FormProps) {
  const say = useSay();
  return (
    <OfForm.Provider value={useTypedInto(action)}>
      <form id={id} method="post" action={action} data-once={isOnce}>
        {children}
        {submit && (
          <p class="actions">
            <button type="submit">{say(submit)}</button>
          </p>
        )}
      </form>
    </OfForm.Provider>
  );
}

/** What was typed into the form that a field stands in. */
export const useTyped = () => useContext(OfForm);
