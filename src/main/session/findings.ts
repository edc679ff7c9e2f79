import type { Capture } from '../../core/capture/capture';
import { type Findings, findingsOf } from '../../core/findings/findings';
import type { FlowAnalysis } from '../../core/flow/flow-analysis';
import type { Payloads } from './payloads';
import { implementationOf } from './records/connections';
import { messageContent } from './records/messages';

/** Compressed messages that are decompressed to see whether they grew, and how long they may be, octets. */
const MAX_DECOMPRESSED = 1000;
const MAX_LENGTH = 64 << 10;

/** The findings of a session, computed when they are first asked for and again when there are more frames. */
export class FindingsCache {
  private kept: { key: string; findings: Findings } | undefined;

  constructor(
    private readonly capture: Capture,
    private readonly payloads: Payloads,
    private readonly analysis: FlowAnalysis,
  ) {}

  get(): Findings {
    const { capture } = this;
    const key = `${capture.frames.count} ${capture.ended}`;
    if (this.kept?.key === key) return this.kept.findings;
    let decompressed = 0;
    const findings = findingsOf({
      capture,
      analysis: this.analysis,
      implementation: (conn, side) => implementationOf(capture, capture.connections[conn - 1]!, side)?.name,
      payload: (row, limit) => this.payloads.payload(row, limit),
      plainLength: (message) => {
        if (capture.messages.length.get(message) > MAX_LENGTH || decompressed >= MAX_DECOMPRESSED) return undefined;
        decompressed++;
        const content = messageContent(capture, this.payloads, message);
        return 'octets' in content ? content.octets.length : undefined;
      },
    });
    this.kept = { key, findings };
    return findings;
  }
}
