import { Columns3 } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import { COLUMNS, type TimeMode, useView } from '../state/view-store';
import { COLUMN_LABELS } from './columns';

const TIME_MODES: { mode: TimeMode; label: string }[] = [
  { mode: 'relative', label: 'Since the first packet' },
  { mode: 'absolute', label: 'Time of day' },
];

/** Which columns there are, and how time is told. */
export function ColumnMenu() {
  const hidden = useView((state) => state.hiddenColumns);
  const timeMode = useView((state) => state.timeMode);
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger className="button quiet" aria-label="Columns and time">
        <Columns3 size={15} aria-hidden />
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content className="menu" align="end" sideOffset={4}>
          <DropdownMenu.Label className="menu-label">Time</DropdownMenu.Label>
          <DropdownMenu.RadioGroup
            value={timeMode}
            onValueChange={(mode) => useView.setState({ timeMode: mode as TimeMode })}
          >
            {TIME_MODES.map(({ mode, label }) => (
              <DropdownMenu.RadioItem key={mode} value={mode} className="menu-item">
                <DropdownMenu.ItemIndicator className="menu-mark">•</DropdownMenu.ItemIndicator>
                {label}
              </DropdownMenu.RadioItem>
            ))}
          </DropdownMenu.RadioGroup>
          <DropdownMenu.Separator className="menu-line" />
          <DropdownMenu.Label className="menu-label">Columns</DropdownMenu.Label>
          {COLUMNS.map((name) => (
            <DropdownMenu.CheckboxItem
              key={name}
              className="menu-item"
              checked={!hidden.includes(name)}
              onSelect={(event) => event.preventDefault()}
              onCheckedChange={(shown) =>
                useView.setState({
                  hiddenColumns: shown ? hidden.filter((each) => each !== name) : [...hidden, name],
                })
              }
            >
              <DropdownMenu.ItemIndicator className="menu-mark">✓</DropdownMenu.ItemIndicator>
              {COLUMN_LABELS[name]}
            </DropdownMenu.CheckboxItem>
          ))}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}
