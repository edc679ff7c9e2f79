import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { requireTool } from './require';

const run = promisify(execFile);

/** Whether tshark is here; where it is not, the reason for skipping is recorded. */
export function hasTshark(): boolean {
  return requireTool('tshark');
}

/** Further arguments, and how the file is read. */
export interface TsharkOptions {
  /** A display filter (-Y). */
  filter?: string;
  /** Preferences (-o), such as `tcp.check_checksum:TRUE`. */
  preferences?: string[];
  /** Ports whose traffic is HTTP/2 (-d). */
  http2Ports?: number[];
}

/**
 * One row per packet that passes the filter, one text per field ('' where a packet doesn't have it, several values
 * joined by commas). A file that is cut short is read up to there, as long as tshark reads anything.
 */
export async function tsharkFields(file: string, fields: string[], options: TsharkOptions = {}): Promise<string[][]> {
  const args = ['-r', file, '-T', 'fields', '-E', 'separator=/t', ...fields.flatMap((field) => ['-e', field])];
  if (options.filter !== undefined) args.push('-Y', options.filter);
  for (const preference of options.preferences ?? []) args.push('-o', preference);
  for (const port of options.http2Ports ?? []) args.push('-d', `tcp.port==${port},http2`);
  const { stdout } = await run('tshark', args, { maxBuffer: 256 * 1024 * 1024 }).catch((error) => {
    if (String(error.stderr).includes('cut short')) return { stdout: String(error.stdout) };
    throw error;
  });
  const lines = stdout.split('\n').slice(0, -1);
  return lines.map((line) => line.split('\t'));
}

/**
 * What Wireshark finds wrong with a file, one line per packet: malformed packets, wrong checksums, and the notes of
 * TCP analysis (lost, repeated, reordered segments, a window overrun).
 * @param http2Ports whose traffic must be well-formed HTTP/2 and gRPC too
 */
export async function tsharkComplaints(file: string, http2Ports: number[] = []): Promise<string[]> {
  const rows = await tsharkFields(file, ['frame.number', '_ws.col.Info', '_ws.expert.message'], {
    filter: '_ws.malformed || tcp.analysis.flags || ip.checksum.status == "Bad" || tcp.checksum.status == "Bad"',
    preferences: ['tcp.check_checksum:TRUE', 'ip.check_checksum:TRUE'],
    http2Ports,
  });
  return rows.map((row) => row.join(' '));
}
