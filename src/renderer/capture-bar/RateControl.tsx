import { Popover } from 'radix-ui';
import { changeSettings, useLiveSettings } from './live-settings';
import { ratesText, rateText, readRate } from './settings';
import { ValueField } from './ValueField';

/** What the path carries at most, in each direction. A change takes effect at once. */
export function RateControl() {
  const { rateToServer, rateToClient } = useLiveSettings();
  return (
    <Popover.Root>
      <Popover.Trigger className="button" title="What the path carries at most: → to server, ← to client">
        <span className="muted">Rate</span> <span className="wire">{ratesText(rateToServer, rateToClient)}</span>
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content className="menu bar-popover" align="start" sideOffset={6} aria-label="Rate of the path">
          <div className="value-fields">
            <ValueField
              field="rateToServer"
              label="To server"
              text={rateText(rateToServer)}
              read={readRate}
              onValue={(value) => changeSettings({ rateToServer: value })}
            />
            <ValueField
              field="rateToClient"
              label="To client"
              text={rateText(rateToClient)}
              read={readRate}
              onValue={(value) => changeSettings({ rateToClient: value })}
            />
          </div>
          <p className="bar-hint muted small">Such as 10 MiB/s or 100 Mbit/s; nothing, or ∞, for no limit.</p>
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}
