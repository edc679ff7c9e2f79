import { Check, Copy } from 'lucide-react';
import { useState } from 'react';
import type { SessionState } from '../../shared/app';
import { useApp } from '../state/app-store';
import { startOrStop } from '../state/commands';
import { dismiss, useRefusal } from '../state/refusals';
import { useView } from '../state/view-store';
import { Callout } from './Callout';
import { isUpstreamTrouble, sentence, wayOut, withAnyPort } from './way-out';

/** Where clients connect, and what they reach: to be written while nothing runs, to be read and copied while it does. */
export function Addresses() {
  const session = useApp((app) => app.state.session);
  return session.kind === 'capturing' ? <Running session={session} /> : <Editable />;
}

function Editable() {
  return (
    <form
      className="addresses"
      aria-label="Addresses"
      onSubmit={(event) => {
        event.preventDefault();
        startOrStop();
      }}
    >
      <AddressInput field="listen" label="Listen on" />
      <span className="addresses-arrow wire" aria-hidden>
        →
      </span>
      <AddressInput field="upstream" label="Forward to" />
      {/* Enter in either field starts. */}
      <button type="submit" hidden aria-hidden tabIndex={-1} />
    </form>
  );
}

function AddressInput({ field, label }: { field: 'listen' | 'upstream'; label: string }) {
  const value = useView((state) => state[field]);
  const refusal = useRefusal((state) => (state.refusal?.field === field ? state.refusal : null));
  const way = refusal === null ? null : wayOut(refusal);
  const calloutId = `${field}-fault`;
  return (
    <div className="address">
      <input
        id={field}
        className="address-input wire"
        aria-label={label}
        title={`${label} (HOST:PORT)`}
        value={value}
        // As wide as what stands in it, within bounds that keep the row calm.
        style={{ width: `${Math.max(12, Math.min(24, value.length))}ch` }}
        spellCheck={false}
        autoComplete="off"
        aria-invalid={refusal !== null}
        aria-describedby={refusal === null ? undefined : calloutId}
        onChange={(event) => {
          useView.setState({ [field]: event.target.value });
          if (refusal !== null) dismiss();
        }}
        onKeyDown={(event) => {
          if (event.key === 'Escape') dismiss();
        }}
      />
      {refusal === null ? null : (
        <Callout id={calloutId} onDismiss={dismiss}>
          <strong>{sentence(refusal.message)}</strong>
          {way?.words === '' ? null : <p>{way?.words}</p>}
          {way?.deed === 'any-port' ? (
            <button
              type="button"
              className="button"
              onClick={() => {
                useView.setState({ listen: withAnyPort(value) });
                startOrStop();
              }}
            >
              Start on any free port
            </button>
          ) : null}
        </Callout>
      )}
    </div>
  );
}

function Running({ session }: { session: Extract<SessionState, { kind: 'capturing' }> }) {
  const trouble = useApp((app) => app.state.notices.find(isUpstreamTrouble));
  return (
    <div className="addresses">
      <span className="address-text wire">{session.listening}</span>
      <CopyButton text={session.listening} />
      <span className="addresses-arrow wire" aria-hidden>
        →
      </span>
      <div className="address">
        <span className="address-text wire" data-faulty={trouble !== undefined || undefined}>
          {session.demo ? 'demo server' : session.settings.upstream}
        </span>
      </div>
    </div>
  );
}

function CopyButton({ text }: { text: string }) {
  const [copied, setCopied] = useState(false);
  const Icon = copied ? Check : Copy;
  return (
    <button
      type="button"
      className="button quiet bar-icon addresses-copy"
      aria-label={copied ? 'Copied' : 'Copy the listening address'}
      title="Copy the address for clients"
      onClick={() => {
        navigator.clipboard.writeText(text).then(
          () => setCopied(true),
          () => setCopied(false),
        );
      }}
      onBlur={() => setCopied(false)}
      onPointerLeave={() => setCopied(false)}
    >
      <Icon size={13} aria-hidden />
    </button>
  );
}
