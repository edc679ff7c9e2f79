/** The examples that are built in: captures that a script plays through and Penstock writes. No program has sent them. */
export type ExampleName = 'window' | 'gateway';

/** A stop on the way through an example. */
export interface GuideStop {
  /** Number of the frame. */
  n: number;
  words: string;
}

export interface Example {
  name: ExampleName;
  /** Of its file; the window tells by it that a session is an example. */
  file: string;
  title: string;
  summary: string;
  guide: readonly GuideStop[];
}

export const EXAMPLES: Readonly<Record<ExampleName, Example>> = {
  window: {
    name: 'window',
    file: 'penstock-example-window.pcapng',
    title: 'A 64 KiB window at RTT 20 ms',
    summary: 'Why a quick server stands still most of the time, and what a larger window would change.',
    guide: [
      {
        n: 4,
        words:
          'A client asks for a file of 256 KiB. Each side may send 65,535 octets on the connection, and as many on each stream: nobody has said otherwise.',
      },
      {
        n: 8,
        words:
          'The answer to the first ping passes the tap, 10 ms after the ping did. The client has it after 20 ms: that is the round trip.',
      },
      {
        n: 13,
        words:
          'The fourth DATA frame spends what is left: both windows are at 0, and the server stands still 0.3 ms after it began.',
      },
      {
        n: 15,
        words:
          'The client has read half of a window and returns 32,768 octets. They take 10 ms to get there: the server still has nothing to spend.',
      },
      {
        n: 17,
        words:
          'The credit is there, and the server goes on, 20 ms after it stopped. A window for each round trip, 64 KiB / 20 ms = 3.1 MiB/s: no more gets through, however quick the way is.',
      },
      {
        n: 39,
        words:
          'The last octets, in the seventh burst: 256 KiB took 121 ms. A window of 1 MiB would have let all of it through at once.',
      },
    ],
  },
  gateway: {
    name: 'gateway',
    file: 'penstock-example-gateway.pcapng',
    title: 'Streams at a gateway',
    summary: 'Twelve calls, one connection, and a server that allows three streams at a time.',
    guide: [
      {
        n: 3,
        words:
          'The server allows three streams at a time (SETTINGS_MAX_CONCURRENT_STREAMS). The setting is pending until the gateway, which is the client here, acknowledges it.',
      },
      {
        n: 10,
        words:
          'The third stream opens: the limit. Nine more calls wait in the gateway; of them, nothing shows on this wire.',
      },
      { n: 14, words: 'The first answer ends, and its stream is closed. The gateway learns of it 5 ms later.' },
      {
        n: 21,
        words:
          'The next call gets its stream, 40 ms after the first three: 30 ms of work and a round trip of 10 ms. Calls go in waves.',
      },
      {
        n: 36,
        words: 'After six answers the server allows six streams. Until the gateway has read it, it keeps to three.',
      },
      {
        n: 48,
        words:
          'Six streams are open: all that were left. Twelve calls took three waves; with a limit of three they would have taken four, without any one.',
      },
    ],
  },
};

/** The example whose file this is. */
export function exampleOf(fileName: string): Example | undefined {
  return Object.values(EXAMPLES).find(({ file }) => file === fileName);
}
