import { type TimeTexts, timeOf } from './times';

export interface TimeInputsProps {
  label: string;
  value: TimeTexts;
  onChange(value: TimeTexts): void;
}

/** From when to when, in seconds; empty is no bound. */
export function TimeInputs({ label, value, onChange }: TimeInputsProps) {
  const { from, to } = value;
  const [start, end] = [timeOf(from), timeOf(to)];
  const wrongOrder = typeof start === 'number' && typeof end === 'number' && start >= end;
  return (
    <span className="accounts-time" role="group" aria-label={`Time of ${label}`}>
      <span className="muted">{label}</span>
      <input
        className="field wire"
        aria-label={`${label}: from, seconds`}
        aria-invalid={start === undefined || undefined}
        placeholder="start"
        inputMode="decimal"
        value={from}
        onChange={(event) => onChange({ from: event.target.value, to })}
      />
      <span className="muted">to</span>
      <input
        className="field wire"
        aria-label={`${label}: to, seconds`}
        aria-invalid={end === undefined || wrongOrder || undefined}
        placeholder="end"
        inputMode="decimal"
        value={to}
        onChange={(event) => onChange({ from, to: event.target.value })}
      />
      <span className="muted">s</span>
    </span>
  );
}
