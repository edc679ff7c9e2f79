import { Check, Copy } from 'lucide-react';
import { Tabs } from 'radix-ui';
import { useState } from 'react';
import { useView } from '../state/view-store';
import { clientAddress, snippets } from './snippets';

/** Three lines on how real traffic gets here, and the third for every common client. */
export function PointClients() {
  const listen = useView((state) => state.listen);
  const upstream = useView((state) => state.upstream);
  const all = snippets(listen);
  return (
    <section className="start-section" aria-labelledby="start-clients">
      <h2 id="start-clients">Your own traffic</h2>
      <ol className="start-steps">
        <li>
          Above, name your server: <span className="wire">{upstream || 'HOST:PORT'}</span>. It stays as it is.
        </li>
        <li>
          Press Start. Penstock listens on <span className="wire">{clientAddress(listen)}</span> and forwards.
        </li>
        <li>Point the client there, without TLS, and call:</li>
      </ol>
      <Tabs.Root defaultValue="go" className="snippets">
        <Tabs.List className="snippet-tabs" aria-label="Client">
          {all.map(({ id, label }) => (
            <Tabs.Trigger key={id} value={id} className="snippet-tab">
              {label}
            </Tabs.Trigger>
          ))}
        </Tabs.List>
        {all.map(({ id, code }) => (
          <Tabs.Content key={id} value={id} className="snippet" tabIndex={-1}>
            <code className="wire">{code}</code>
            <CopyCode code={code} />
          </Tabs.Content>
        ))}
      </Tabs.Root>
    </section>
  );
}

function CopyCode({ code }: { code: string }) {
  const [copied, setCopied] = useState(false);
  const Icon = copied ? Check : Copy;
  return (
    <button
      type="button"
      className="button quiet bar-icon"
      aria-label={copied ? 'Copied' : 'Copy this line'}
      onClick={() => void navigator.clipboard.writeText(code).then(() => setCopied(true))}
      onBlur={() => setCopied(false)}
    >
      <Icon size={14} aria-hidden />
    </button>
  );
}
