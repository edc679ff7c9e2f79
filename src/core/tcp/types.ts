/** What TCP reassembly hands on: each connection's octets in order, what was never seen, and how it ended. */

export interface Endpoint {
  address: string;
  port: number;
}

/**
 * Side 0 sends from `endpoints[0]`, side 1 from `endpoints[1]`; side 0 is the sender of the first packet seen. Which
 * side is the client is known here only from a SYN (`client`); else the protocol above decides.
 */
export type Side = 0 | 1;

export interface TcpConnection {
  /** From 1, in the order of first packets: tshark's tcp.stream + 1. */
  id: number;
  endpoints: [Endpoint, Endpoint];
  /** The side that sent a SYN (or received a SYN-ACK). */
  client: Side | undefined;
  /**
   * By side: the other has acknowledged octets of it that were not handed on yet. They come late, or are in no packet;
   * what the other sends may answer them.
   */
  readonly behind: [boolean, boolean];
  /** Nanoseconds since the capture's first packet. */
  start: number;
  /** Interface of the first packet. */
  interfaceId: number;
}

export interface TcpSink {
  connection(connection: TcpConnection): void;
  /**
   * The next octets of one side, in order and without overlap. Not copied: valid during the call only.
   * @param offset of `data[start]` in the side's octet stream, from 0, never wrapping; unseen octets counted
   * @param time arrival of these octets' own segment (may be earlier than that of octets handed on before)
   * @param fileOffset of `data[start]` in the capture file: grows in arrival order
   * @param push the segment carried PSH and these are its last octets
   */
  octets(
    connection: TcpConnection,
    side: Side,
    data: Uint8Array,
    start: number,
    end: number,
    offset: number,
    time: number,
    fileOffset: number,
    push: boolean,
  ): void;
  /** Octets that are in no packet of the capture (lost, or cut by the snap length). */
  gap(connection: TcpConnection, side: Side, offset: number, length: number, time: number): void;
  /** `side`'s octets before `offset` were acknowledged by the other side. Only called when the offset grows. */
  acknowledged(connection: TcpConnection, side: Side, offset: number, time: number): void;
  /** One side's FIN, or a reset; a connection may have two FINs. `fileOffset` is that of the packet. */
  closed(connection: TcpConnection, by: Side, how: 'fin' | 'reset', time: number, fileOffset: number): void;
  /** Something worth telling once (overlapping segments with different octets, fragments, …). */
  trouble(fileOffset: number, message: string): void;
}
