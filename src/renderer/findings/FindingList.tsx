import { type KeyboardEvent, useRef } from 'react';
import { SEVERITIES } from '../../shared/records';
import { visibleText } from '../detail/visible';
import type { KeyedFinding } from './keyed';
import { SeverityIcon } from './SeverityIcon';

const HEADINGS = { error: 'Errors', warning: 'Warnings', info: 'Notes' } as const;

interface Props {
  findings: readonly KeyedFinding[];
  chosen: string | undefined;
  onChoose(key: string): void;
}

/** All findings, by severity with their counts. Arrows go from one to the next. */
export function FindingList({ findings, chosen, onChoose }: Props) {
  const list = useRef<HTMLDivElement>(null);
  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step === 0) return;
    event.preventDefault();
    const at = findings.findIndex(({ key }) => key === chosen);
    const next = findings[Math.max(0, Math.min(findings.length - 1, at + step))];
    if (next === undefined) return;
    onChoose(next.key);
    list.current?.querySelectorAll<HTMLElement>('[role="option"]')[findings.indexOf(next)]?.scrollIntoView({
      block: 'nearest',
    });
  };
  return (
    <div
      ref={list}
      id="pane-rows"
      className="findings-list"
      role="listbox"
      aria-label="Findings"
      tabIndex={0}
      aria-activedescendant={chosen === undefined ? undefined : optionId(chosen)}
      onKeyDown={onKeyDown}
    >
      {SEVERITIES.map((severity) => {
        const of = findings.filter(({ finding }) => finding.severity === severity);
        if (of.length === 0) return null;
        return (
          <div key={severity} role="group" aria-label={`${HEADINGS[severity]}, ${of.length}`}>
            <div className="findings-heading" aria-hidden>
              {HEADINGS[severity]} <span className="muted">{of.length}</span>
            </div>
            {of.map(({ key, finding }) => (
              // biome-ignore lint/a11y/useKeyWithClickEvents: the list takes the keys
              <div
                key={key}
                id={optionId(key)}
                role="option"
                className="finding-row"
                aria-selected={key === chosen}
                data-finding={finding.id}
                onClick={() => onChoose(key)}
              >
                <SeverityIcon severity={severity} />
                <span>
                  {visibleText(finding.title)}
                  <span className="finding-place">
                    connection {finding.conn}
                    {finding.stream === undefined ? '' : `, stream ${finding.stream}`}
                  </span>
                </span>
              </div>
            ))}
          </div>
        );
      })}
    </div>
  );
}

function optionId(key: string): string {
  return `finding-${key.replace(/ /g, '-')}`;
}
