import type { Direction } from '../../shared/records';
import type { StepState, StepTable } from '../../shared/step';
import { shortened, visibleText } from '../detail/visible';
import { grouped } from '../timeline/format';

const LONGEST = 96;

/** Both directions' dynamic tables (RFC 7541 §2.3.2): what this step has added and evicted is marked. */
export function HeaderTables({ tables }: { tables: StepState['tables'] }) {
  return (
    <>
      <Table dir="toServer" table={tables.toServer} />
      <Table dir="toClient" table={tables.toClient} />
    </>
  );
}

function Table({ dir, table }: { dir: Direction; table: StepTable }) {
  const { entries, count, size, maxSize, evicted, evictedCount, unknown } = table;
  const who = dir === 'toServer' ? 'client' : 'server';
  return (
    <div className="step-table">
      <h3>
        Header table of the {who}
        <span className="muted">
          {' '}
          {count === 1 ? '1 entry' : `${grouped(count)} entries`}, {grouped(size)} of {grouped(maxSize)} octets
        </span>
      </h3>
      {unknown ? <p className="muted">Older entries may exist: they were not seen.</p> : null}
      <table className="plain-table">
        <tbody>
          {entries.map(({ index, name, value, size: octets, added }) => (
            <tr key={index} className={added ? 'entry-added' : undefined}>
              <td className="entry-mark" title={added ? 'Added by this step' : undefined}>
                {added ? '+' : ''}
              </td>
              <td className="right wire muted">{index}</td>
              <Field name={name} value={value} />
              <td className="right wire muted">{grouped(octets)}</td>
            </tr>
          ))}
          {evicted.map(({ name, value }, i) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: evicted entries have no index any more
            <tr key={`evicted ${i}`} className="entry-evicted">
              <td className="entry-mark" title="Evicted by this step">
                −
              </td>
              <td />
              <Field name={name} value={value} />
              <td />
            </tr>
          ))}
        </tbody>
      </table>
      {count > entries.length ? <p className="muted">and {grouped(count - entries.length)} older ones</p> : null}
      {evictedCount > evicted.length ? (
        <p className="muted">and {grouped(evictedCount - evicted.length)} more evicted</p>
      ) : null}
    </div>
  );
}

function Field({ name, value }: { name: string; value: string | null }) {
  const text = value === null ? '' : visibleText(value);
  return (
    <td className="wire entry-field" title={value === null ? undefined : text}>
      {visibleText(name)}: {value === null ? <span className="muted">not seen</span> : shortened(text, LONGEST)}
    </td>
  );
}
