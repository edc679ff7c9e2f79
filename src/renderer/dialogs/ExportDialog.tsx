import { useState } from 'react';
import type { ExportFormat } from '../../shared/app';
import { useApp } from '../state/app-store';
import { exportAs, outcome } from '../state/commands';
import { useView } from '../state/view-store';
import { grouped } from '../timeline/format';
import { closeDialog, Modal } from './Modal';

const FORMATS: readonly { format: ExportFormat; label: string; words: string }[] = [
  { format: 'pcapng', label: 'pcapng', words: 'Packets, for Penstock, Wireshark and tshark' },
  { format: 'jsonl', label: 'JSON Lines', words: 'One object a frame, with all fields' },
  { format: 'csv', label: 'CSV', words: 'One row a frame, for spreadsheets' },
];

export function ExportDialog() {
  const total = useApp((app) => app.progress?.frames ?? 0);
  const open = useApp((app) => app.state.session.kind === 'open' || app.state.session.kind === 'capturing');
  const filterView = useView((state) => state.filterView);
  const inForce = useApp((app) => app.progress?.views.find(({ view }) => view === filterView));
  const [format, setFormat] = useState<ExportFormat>('pcapng');
  const [filtered, setFiltered] = useState(filterView !== null);
  const filter = filtered && inForce !== undefined ? inForce.filter : null;
  return (
    <Modal title="Export">
      <form
        className="modal-form"
        onSubmit={(event) => {
          event.preventDefault();
          outcome(exportAs({ format, filter }));
          closeDialog();
        }}
      >
        <fieldset className="choices">
          <legend>Format</legend>
          {FORMATS.map(({ format: name, label, words }) => (
            <label key={name} className="choice">
              <input type="radio" name="format" checked={format === name} onChange={() => setFormat(name)} />
              <span className="choice-label">{label}</span>
              <span className="muted">{words}</span>
            </label>
          ))}
        </fieldset>
        <fieldset className="choices">
          <legend>Frames</legend>
          <label className="choice">
            <input type="radio" name="frames" checked={filter === null} onChange={() => setFiltered(false)} />
            <span className="choice-label">All</span>
            <span className="muted">{grouped(total)}</span>
          </label>
          <label className="choice">
            <input
              type="radio"
              name="frames"
              disabled={inForce === undefined}
              checked={filter !== null}
              onChange={() => setFiltered(true)}
            />
            <span className="choice-label">Filtered</span>
            {inForce === undefined ? (
              <span className="muted">no filter is in force</span>
            ) : (
              <span className="muted choice-filter">
                {grouped(inForce.count)} by <span className="wire">{inForce.filter}</span>
              </span>
            )}
          </label>
        </fieldset>
        <div className="modal-deeds">
          <button type="button" className="button" onClick={closeDialog}>
            Cancel
          </button>
          <button type="submit" className="button primary" disabled={!open}>
            Export…
          </button>
        </div>
      </form>
    </Modal>
  );
}
