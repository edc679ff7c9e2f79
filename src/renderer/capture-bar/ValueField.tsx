import { type ReactNode, useEffect, useState } from 'react';
import type { LiveSettings } from '../../shared/app';
import { dismiss, useRefusal } from '../state/refusals';
import type { Typed } from './settings';

interface ValueFieldProps<T> {
  field: keyof LiveSettings;
  label: ReactNode;
  /** The value in force, as it is written. */
  text: string;
  read(text: string): Typed<T>;
  onValue(value: T): void;
}

/** A value that is put in force when it is complete: with Enter, or when the field is left. */
export function ValueField<T>({ field, label, text, read, onValue }: ValueFieldProps<T>) {
  const [typed, setTyped] = useState(text);
  const [fault, setFault] = useState<string | null>(null);
  const refused = useRefusal((state) => (state.refusal?.field === field ? state.refusal.message : null));
  useEffect(() => setTyped(text), [text]);
  const message = fault ?? refused;
  const commit = () => {
    const result = read(typed);
    if ('message' in result) return setFault(result.message);
    setFault(null);
    if (typed === text) return;
    onValue(result.value);
  };
  const messageId = `${field}-message`;
  return (
    <div className="value-field">
      <label htmlFor={field}>{label}</label>
      <input
        id={field}
        className="field wire"
        value={typed}
        spellCheck={false}
        autoComplete="off"
        aria-invalid={message !== null}
        aria-describedby={message === null ? undefined : messageId}
        onChange={(event) => {
          setTyped(event.target.value);
          setFault(null);
          if (refused !== null) dismiss();
        }}
        onBlur={commit}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || event.ctrlKey || event.metaKey) return;
          event.preventDefault();
          commit();
        }}
      />
      {message === null ? null : (
        <p className="value-message" id={messageId} role="alert">
          {message}
        </p>
      )}
    </div>
  );
}
