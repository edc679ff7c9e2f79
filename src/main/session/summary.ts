import type { Capture } from '../../core/capture/capture';
import type { CaptureSummary } from '../../shared/contract';

/** What the file is; undefined while its beginning is not read. */
export function captureSummary(capture: Capture): CaptureSummary | undefined {
  const [section] = capture.sections;
  if (section === undefined) return undefined;
  return {
    format: section.format,
    application: section.application ?? null,
    size: capture.size,
    packets: capture.packetCount,
    ignoredPackets: capture.ignoredPackets,
    firstTime: capture.firstTime?.toString() ?? null,
    duration: capture.lastTime / 1e9,
    interfaces: capture.interfaces.map((each) => ({ ...each })),
    marks: capture.marks.map(({ interfaceId, time, comment }) => ({
      interface: interfaceId,
      t: time / 1e9,
      ...(comment !== undefined && { comment }),
    })),
  };
}
