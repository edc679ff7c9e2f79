import { select } from '../state/view-store';
import { frameLinks } from './words';

/** A frame's number, which leads to it. */
export function FrameLink({ n, text, onFollow }: { n: number; text: string; onFollow?: () => void }) {
  return (
    <button type="button" className="frame-link" aria-label={`Frame ${n}`} onClick={onFollow ?? (() => select(n))}>
      {text}
    </button>
  );
}

/** A sentence, its frames as links. */
export function Sentence({ text }: { text: string }) {
  let at = 0;
  return (
    <p>
      {frameLinks(text).map((piece) => {
        const key = at;
        at += piece.text.length;
        return piece.frame === undefined ? piece.text : <FrameLink key={key} n={piece.frame} text={piece.text} />;
      })}
    </p>
  );
}
