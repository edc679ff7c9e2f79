import type { FindingRecord, Severity } from '../../shared/records';
import { grouped, visible } from '../session/text';
import { type Command, FILE, JSON_OPTION } from './command';
import type { Context } from './context';
import { map } from './frames';
import { withSession } from './open';
import type { Paint, Style } from './style';

export const findings: Command = {
  name: 'findings',
  operands: [FILE],
  description: 'what went wrong or could go better, with the frames that prove it and what to change',
  options: [JSON_OPTION],
  async run(given, context) {
    await withSession(context, given.operands[0]!, async (session) => {
      const { findings: found, leftOut } = session.findings.get();
      if (given.switches.has('json')) await context.out.lines(map(found, (finding) => JSON.stringify(finding)));
      else await print(found, context);
      await context.out.flush();
      if (found.length === 0) context.note(nothing(session.frameCount, session.callCount));
      if (leftOut > 0) context.note(`${grouped(leftOut)} more findings of the same kinds are left out`);
      if (!session.capture.hasDeliveries && session.frameCount > 0) {
        context.note(
          'the file does not tell when octets were delivered: what is said of windows is the capture point’s view',
        );
      }
    });
  },
};

/** None found is no proof that all is well. */
function nothing(frames: number, calls: number): string {
  if (frames === 0) return 'nothing was found: the capture has no frames';
  const words = `${grouped(frames)} ${frames === 1 ? 'frame' : 'frames'} and ${grouped(calls)} ${calls === 1 ? 'call' : 'calls'}`;
  return `nothing was found in ${words}; the rules know common troubles, not all`;
}

const PAINTS: Readonly<Record<Severity, (style: Style) => Paint>> = {
  error: ({ red }) => red,
  warning: ({ yellow }) => yellow,
  info: ({ blue }) => blue,
};

const INDENT = '  ';
/** Columns of text where the output is no terminal. */
const WIDTH = 100;

async function print(found: readonly FindingRecord[], { out, style, width = WIDTH }: Context): Promise<void> {
  for (const [i, finding] of found.entries()) {
    const { severity, conn, stream, title, detail, advice, source, evidence, numbers } = finding;
    if (i > 0) await out.line('');
    const place = stream === undefined ? `connection ${conn}` : `connection ${conn}, stream ${stream}`;
    await out.line(`${PAINTS[severity](style)(severity)} ${style.bold(visible(title))} ${style.dim(`(${place})`)}`);
    for (const line of wrapped(visible(detail), width)) await out.line(line);
    for (const line of wrapped(`Advice: ${visible(advice)}`, width)) await out.line(line);
    const more = (numbers.frames ?? evidence.length) > evidence.length ? ' and more' : '';
    if (evidence.length > 0) {
      const label = evidence.length === 1 ? 'Frame' : 'Frames';
      for (const line of wrapped(`${label}: ${evidence.join(', ')}${more}`, width)) await out.line(line);
    }
    for (const line of wrapped(`Source: ${source}`, width)) await out.line(style.dim(line));
  }
}

/** Lines of at most `width` columns, broken between words. */
function wrapped(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && INDENT.length + line.length + 1 + word.length > width) {
      lines.push(INDENT + line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  lines.push(INDENT + line);
  return lines;
}
