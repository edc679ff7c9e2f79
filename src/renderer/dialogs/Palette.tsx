import { Command } from 'cmdk';
import { useState } from 'react';
import { keyText } from '../app/shortcut-match';
import { SHORTCUTS } from '../app/shortcuts';
import { changeSettings } from '../capture-bar/live-settings';
import { RTT_PRESETS } from '../capture-bar/settings';
import { services, useApp } from '../state/app-store';
import { outcome, runCommand } from '../state/commands';
import { goToFault } from '../state/faults';
import { focusPaneById } from '../state/focus';
import { showFrame } from '../state/go';
import { togglePause, useView } from '../state/view-store';
import { grouped } from '../timeline/format';
import { readFrameNumber } from './frame-number';
import { closeDialog, Modal } from './Modal';
import { type PaletteItem, paletteItems } from './palette-items';

const GROUPS = ['Go to', 'Capture', 'Session', 'Recent'] as const;

/** Everything that can be done now, by name. */
export function Palette() {
  const state = useApp((app) => app.state);
  const total = useApp((app) => app.progress?.frames ?? 0);
  const [search, setSearch] = useState('');
  const items = paletteItems(state, RTT_PRESETS);
  const frame = readFrameNumber(search, total);
  return (
    <Modal title="Command palette" untitled top>
      <Command label="Commands" loop className="palette">
        <Command.Input
          className="palette-input"
          placeholder="What to do, or the number of a frame"
          value={search}
          onValueChange={setSearch}
        />
        <Command.List className="palette-list" label="Commands">
          <Command.Empty className="palette-empty">Nothing is called that.</Command.Empty>
          {'value' in frame ? (
            <Item
              item={{
                id: 'frame',
                group: 'Go to',
                words: `Go to frame ${grouped(frame.value)}`,
                deed: { frame: frame.value },
              }}
              value={search}
            />
          ) : null}
          {GROUPS.map((group) => {
            const members = items.filter((item) => item.group === group);
            return members.length === 0 ? null : (
              <Command.Group key={group} heading={group}>
                {members.map((item) => (
                  <Item key={item.id} item={item} />
                ))}
              </Command.Group>
            );
          })}
        </Command.List>
      </Command>
    </Modal>
  );
}

function Item({ item, value }: { item: PaletteItem; value?: string }) {
  return (
    <Command.Item
      className="palette-item"
      value={value ?? `${item.words} ${item.id.startsWith('recent-') ? item.id : ''}`}
      onSelect={() => {
        carryOut(item.deed);
        // Unless another dialog has taken its place.
        if (useView.getState().dialog === 'palette') closeDialog();
      }}
    >
      {item.words}
      <Keys item={item} />
    </Command.Item>
  );
}

function Keys({ item: { deed, words } }: { item: PaletteItem }) {
  const shortcut = SHORTCUTS.find((each) => ('command' in deed ? each.run === deed.command : each.words === words));
  if (shortcut === undefined) return null;
  return <kbd>{keyText(shortcut, services().platform.facts.os === 'darwin')}</kbd>;
}

function carryOut(deed: PaletteItem['deed']): void {
  if ('command' in deed) runCommand(deed.command);
  else if ('rtt' in deed) changeSettings({ delayToServer: deed.rtt / 2, delayToClient: deed.rtt / 2 });
  else if ('fault' in deed) goToFault(deed.fault);
  else if ('recent' in deed) outcome(services().api.openRecent(deed.recent));
  else if ('pause' in deed) togglePause();
  else {
    void showFrame(deed.frame);
    focusPaneById('pane-rows');
  }
}
