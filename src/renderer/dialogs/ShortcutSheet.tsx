import { keyText } from '../app/shortcut-match';
import { SHORTCUTS } from '../app/shortcuts';
import { services } from '../state/app-store';
import { Modal } from './Modal';
import { PANE_KEYS } from './pane-keys';
import { byWords } from './sheet';

/** Every key there is. */
export function ShortcutSheet() {
  const mac = services().platform.facts.os === 'darwin';
  return (
    <Modal title="Keyboard" wide>
      <div className="sheet">
        <Keys title="Everywhere" rows={byWords(SHORTCUTS, mac)} />
        <div className="sheet-panes">
          {PANE_KEYS.map(({ pane, keys }) => (
            <Keys
              key={pane}
              title={pane}
              rows={keys.map(({ keys: names, mod = false, words }) => ({
                words,
                keys: names.map((key) => keyText({ key, mod }, mac)),
              }))}
            />
          ))}
        </div>
      </div>
    </Modal>
  );
}

function Keys({ title, rows }: { title: string; rows: readonly { words: string; keys: readonly string[] }[] }) {
  return (
    <section>
      <h3>{title}</h3>
      <dl className="sheet-keys">
        {rows.map(({ words, keys }) => (
          <div key={words}>
            <dt>
              {keys.map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{words}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
