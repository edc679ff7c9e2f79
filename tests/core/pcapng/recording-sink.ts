import { CaptureReader } from '../../../src/core/pcapng/reader';
import type { CaptureInterface, CaptureSection, InterfaceStatistics, PacketSink } from '../../../src/core/pcapng/types';
import { toHex } from '../../support/octets';

export interface RecordedPacket {
  octets: string;
  time: number;
  originalLength: number;
  interfaceId: number;
  fileOffset: number;
  comment: string | undefined;
}

/** Everything a reader said, in order; packets by value, as their octets are only lent. */
export class RecordingSink implements PacketSink {
  readonly calls: unknown[] = [];
  readonly sections: CaptureSection[] = [];
  readonly interfaces: CaptureInterface[] = [];
  readonly packets: RecordedPacket[] = [];
  readonly marks: InterfaceStatistics[] = [];
  readonly troubles: { fileOffset: number; message: string }[] = [];

  section(section: CaptureSection): void {
    this.sections.push(section);
    this.calls.push(section);
  }

  interface(captureInterface: CaptureInterface): void {
    this.interfaces.push(captureInterface);
    this.calls.push(captureInterface);
  }

  packet(
    data: Uint8Array,
    start: number,
    end: number,
    time: number,
    originalLength: number,
    interfaceId: number,
    fileOffset: number,
    comment: string | undefined,
  ): void {
    const octets = toHex(data.subarray(start, end));
    const packet = { octets, time, originalLength, interfaceId, fileOffset, comment };
    this.packets.push(packet);
    this.calls.push(packet);
  }

  statistics(statistics: InterfaceStatistics): void {
    this.marks.push(statistics);
    this.calls.push(statistics);
  }

  trouble(fileOffset: number, message: string): void {
    this.troubles.push({ fileOffset, message });
    this.calls.push({ fileOffset, message });
  }
}

/** Reads a file given in pieces. Each piece is overwritten after its push: what was kept of it shows. */
export function readPieces(pieces: readonly Uint8Array[]): { sink: RecordingSink; reader: CaptureReader } {
  const sink = new RecordingSink();
  const reader = new CaptureReader(sink);
  for (const piece of pieces) {
    const lent = piece.slice();
    reader.push(lent);
    lent.fill(0xee);
  }
  reader.end();
  return { sink, reader };
}
