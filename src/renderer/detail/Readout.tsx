import { useEffect, useState } from 'react';
import type { DetailField, FrameDetail } from '../../shared/detail';
import { grouped } from '../timeline/format';
import { lengthOf, octetsOf } from './copy';
import { followField, useDetail } from './detail-state';
import { FrameLink } from './FrameLink';
import { otherFrames } from './field-at';
import { octetPreview, octetsInWords, readings } from './readings';

/** Octets that are read for the readout. */
const READ = 64;
/** Other frames that are named; a long message stands in hundreds. */
const NAMED = 8;

/** What is chosen, once more in words: its octets, where they stand, and what they are by themselves. */
export function Readout({ detail, field }: { detail: FrameDetail; field: DetailField | undefined }) {
  const copied = useDetail((state) => state.copied);
  const octets = useFieldOctets(field);
  if (field === undefined) {
    return (
      <div className="readout" aria-live="polite">
        <span className="readout-label">{copied ?? 'Choose a field, or an octet.'}</span>
      </div>
    );
  }
  const total = lengthOf(field.spans);
  const { n } = detail.frame;
  return (
    <div className="readout" aria-live="polite">
      <span className="readout-label">Selected</span>
      {octets === undefined || total === 0 ? null : <span className="wire">{octetPreview(octets, total)}</span>}
      <span className="muted">{octetsInWords(field, n)}</span>
      {octets === undefined
        ? null
        : readings(octets, total, field).map((reading) => (
            <span key={reading} className="muted readout-reading">
              {reading}
            </span>
          ))}
      <AlsoIn field={field} n={n} />
      {copied === null ? null : <span className="readout-copied">{copied}</span>}
    </div>
  );
}

function AlsoIn({ field, n }: { field: DetailField; n: number }) {
  const others = otherFrames(field, n);
  if (others.length === 0) return null;
  return (
    <span className="muted">
      also in {others.length === 1 ? 'frame' : 'frames'}{' '}
      {others.slice(0, NAMED).map((other, i) => (
        <span key={other}>
          {i === 0 ? '' : ', '}
          <FrameLink n={other} text={grouped(other)} onFollow={() => followField(other, field.id)} />
        </span>
      ))}
      {others.length > NAMED ? ` and ${grouped(others.length - NAMED)} more` : ''}
    </span>
  );
}

/** The field's first octets; the ones before stay until they have come. */
function useFieldOctets(field: DetailField | undefined): Uint8Array | undefined {
  const [known, setKnown] = useState<{ field: DetailField; octets: Uint8Array } | undefined>();
  useEffect(() => {
    if (field === undefined) return;
    let current = true;
    octetsOf(field.spans, READ).then(
      (octets) => current && setKnown({ field, octets }),
      () => undefined,
    );
    return () => {
      current = false;
    };
  }, [field]);
  return known !== undefined && known.field === field ? known.octets : undefined;
}
