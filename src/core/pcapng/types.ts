/** What a capture file's reader hands on. Nothing is copied: `data` is the reader's buffer, valid during the call. */

/** One capture interface. Ids are file-wide (a second section's interfaces go on counting), from 0. */
export interface CaptureInterface {
  id: number;
  /** A LINKTYPE_ value of the tcpdump group's registry. */
  linkType: number;
  /** Octets kept of each packet; 0 means no limit. */
  snapLength: number;
  name?: string;
  description?: string;
  comment?: string;
}

export interface CaptureSection {
  format: 'pcap' | 'pcapng';
  /** pcapng `shb_userappl`: the program that wrote the section. */
  application?: string;
  comment?: string;
}

/** An Interface Statistics Block: in Penstock's files, a change of the tap's settings or a mark (comment, JSON). */
export interface InterfaceStatistics {
  interfaceId: number;
  /** Nanoseconds since the capture's first packet. */
  time: number;
  comment?: string;
}

export interface PacketSink {
  section(section: CaptureSection): void;
  interface(captureInterface: CaptureInterface): void;
  /**
   * @param time nanoseconds since the file's first packet (exact up to 104 days in a double; may be negative)
   * @param originalLength octets on the wire, more than `end - start` where the snap length cut
   * @param fileOffset of `data[start]` in the (decompressed) file
   */
  packet(
    data: Uint8Array,
    start: number,
    end: number,
    time: number,
    originalLength: number,
    interfaceId: number,
    fileOffset: number,
    comment: string | undefined,
  ): void;
  statistics(statistics: InterfaceStatistics): void;
  /** What was not understood, once for each kind; reading goes on. */
  trouble(fileOffset: number, message: string): void;
}
