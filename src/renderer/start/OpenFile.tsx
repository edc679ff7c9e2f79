import { FolderOpen } from 'lucide-react';
import { useRef, useState } from 'react';
import { services } from '../state/app-store';
import { outcome, runCommand } from '../state/commands';

/**
 * Ways to a capture file: a dialog where there is one; else the browser's own file input, and a path on the machine
 * that the program runs on, which copies nothing.
 * @param onOpen something was chosen
 */
export function OpenFile({ onOpen }: { onOpen?(): void }) {
  const { dialogs } = services().platform.facts;
  return dialogs ? (
    <button type="button" className="button" onClick={() => runCommand('open')}>
      <FolderOpen size={14} aria-hidden /> Open a file…
    </button>
  ) : (
    <BrowserOpen onOpen={onOpen} />
  );
}

function BrowserOpen({ onOpen }: { onOpen: (() => void) | undefined }) {
  const input = useRef<HTMLInputElement>(null);
  const [path, setPath] = useState('');
  return (
    <form
      className="open-file"
      onSubmit={(event) => {
        event.preventDefault();
        if (path.trim() === '') return;
        outcome(services().api.openPath(path.trim()));
        onOpen?.();
      }}
    >
      <input
        ref={input}
        type="file"
        hidden
        accept=".pcapng,.pcap,.cap,.gz"
        aria-label="Capture file"
        onChange={(event) => {
          const file = event.target.files?.[0];
          event.target.value = '';
          if (file === undefined) return;
          outcome(services().platform.openFile(file));
          onOpen?.();
        }}
      />
      <button type="button" className="button" onClick={() => input.current?.click()}>
        <FolderOpen size={14} aria-hidden /> Open a file…
      </button>
      <span className="muted">or</span>
      <input
        className="field wire open-path"
        aria-label="Path of a capture file"
        placeholder="path of a capture on this machine"
        value={path}
        spellCheck={false}
        autoComplete="off"
        onChange={(event) => setPath(event.target.value)}
      />
      <button type="submit" className="button" disabled={path.trim() === ''}>
        Open
      </button>
    </form>
  );
}
