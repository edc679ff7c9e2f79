import { Popover } from 'radix-ui';
import { changeSettings, useLiveSettings } from './live-settings';
import { delayText, presetOf, RTT_PRESETS, readDelay, rttText } from './settings';
import { ValueField } from './ValueField';

/** The delay of the path, as a round trip or exactly in each direction. A change takes effect at once. */
export function RttControl() {
  const { delayToServer, delayToClient, delayConnect } = useLiveSettings();
  const preset = presetOf(delayToServer, delayToClient);
  return (
    <Popover.Root>
      <Popover.Trigger className="button" title="Delay of the path, to server + to client">
        <span className="muted">RTT</span> <span className="wire">{rttText(delayToServer, delayToClient)}</span>
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content className="menu bar-popover" align="start" sideOffset={6} aria-label="Delay of the path">
          <fieldset className="presets">
            <legend>Round trip, ms</legend>
            {RTT_PRESETS.map((rtt) => (
              <button
                key={rtt}
                type="button"
                className="button wire"
                aria-pressed={rtt === preset}
                onClick={() => changeSettings({ delayToServer: rtt / 2, delayToClient: rtt / 2 })}
              >
                {rtt}
              </button>
            ))}
          </fieldset>
          <div className="value-fields">
            <ValueField
              field="delayToServer"
              label="To server"
              text={delayText(delayToServer)}
              read={readDelay}
              onValue={(value) => changeSettings({ delayToServer: value })}
            />
            <ValueField
              field="delayToClient"
              label="To client"
              text={delayText(delayToClient)}
              read={readDelay}
              onValue={(value) => changeSettings({ delayToClient: value })}
            />
          </div>
          <label className="bar-check">
            <input
              type="checkbox"
              checked={delayConnect}
              onChange={(event) => changeSettings({ delayConnect: event.target.checked })}
            />
            <span>
              Delay connecting too
              <span className="muted small">
                Holds a new connection's first octets for a round trip, as its TCP handshake would take over this path.
              </span>
            </span>
          </label>
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}
