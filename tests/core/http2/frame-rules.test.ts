/** RFC 9113 §6, frame by frame. Which rules there are to try is h2spec's list. */
import { Setting } from '../../../src/shared/names';
import {
  concat,
  continuation,
  data,
  frame,
  goaway,
  headersFrame,
  hex,
  ping,
  priority,
  pushPromise,
  rstStream,
  settings,
  settingsAck,
  windowUpdate,
} from '../../support/encode';
import { check, client, REQUEST, RESPONSE, server, TRAILERS } from './rules';

const OPEN = client(headersFrame(1, REQUEST));
const ANSWER = server(headersFrame(1, RESPONSE));
const PADDED = 0x08;
const END_HEADERS = 0x04;
const PRIORITY_FLAG = 0x20;

check('DATA (§6.1)', [
  [
    'on stream 0',
    [
      client(data(0, hex('00')), 'PROTOCOL_ERROR connection §6.1'),
      server(data(0, hex('00')), 'PROTOCOL_ERROR connection §6.1'),
    ],
  ],
  [
    'a pad length of the whole payload',
    [
      OPEN,
      client(frame(0, PADDED, 1, hex('04 aa aa aa')), 'PROTOCOL_ERROR connection §6.1'), // 4 octets, pad length 4
      ANSWER,
      server(frame(0, PADDED, 1, hex('ff')), 'PROTOCOL_ERROR connection §6.1'),
    ],
  ],
  [
    'padding and nothing else',
    [OPEN, client(frame(0, PADDED, 1, hex('03 00 00 00'))), client(frame(0, PADDED, 1, hex('00')))],
  ],
  ['no room for the pad length', [OPEN, client(frame(0, PADDED, 1), 'FRAME_SIZE_ERROR connection §6.1')]],
]);

check('HEADERS (§6.2)', [
  [
    'on stream 0',
    [
      client(headersFrame(0, REQUEST), 'PROTOCOL_ERROR connection §6.2'),
      server(headersFrame(0, RESPONSE), 'PROTOCOL_ERROR connection §6.2'),
    ],
  ],
  [
    'a pad length beyond the payload',
    [
      client(frame(1, PADDED | END_HEADERS, 1, concat(hex('ff'), REQUEST)), 'PROTOCOL_ERROR connection §6.2'),
      server(headersFrame(1, RESPONSE)),
    ],
  ],
  [
    'padding that leaves no room for the priority fields',
    [
      client(
        frame(1, PADDED | PRIORITY_FLAG | END_HEADERS, 1, hex('01 00 00 00 00 00')),
        'PROTOCOL_ERROR connection §6.2',
      ),
    ],
  ],
  [
    'too short for the priority fields',
    [client(frame(1, PRIORITY_FLAG | END_HEADERS, 1, hex('00 00 00 00')), 'FRAME_SIZE_ERROR connection §6.2')],
  ],
  [
    'padded and with priority, as it should be',
    [client(headersFrame(1, REQUEST, { padding: 255, priority: { dependency: 0, weight: 256, exclusive: true } }))],
  ],
  [
    'without END_HEADERS, then PRIORITY',
    [
      client(headersFrame(1, REQUEST, { endHeaders: false })),
      client(priority(1, { dependency: 0, weight: 1 }), 'PROTOCOL_ERROR connection §6.10'),
      client(continuation(1, TRAILERS)),
    ],
  ],
  [
    'without END_HEADERS, then another stream',
    [
      client(headersFrame(1, REQUEST, { endHeaders: false })),
      client(headersFrame(3, REQUEST), 'PROTOCOL_ERROR connection §6.10'),
    ],
  ],
]);

check('PRIORITY (§6.3)', [
  ['on stream 0', [client(priority(0, { dependency: 1, weight: 1 }), 'PROTOCOL_ERROR connection §6.3')]],
  [
    'of 4 and of 6 octets',
    [
      OPEN,
      client(frame(2, 0, 1, new Uint8Array(4)), 'FRAME_SIZE_ERROR stream §6.3'),
      server(frame(2, 0, 1, new Uint8Array(6)), 'FRAME_SIZE_ERROR stream §6.3'),
    ],
  ],
]);

check('RST_STREAM (§6.4)', [
  ['on stream 0', [OPEN, client(rstStream(0, 8), 'PROTOCOL_ERROR connection §6.4')]],
  ['on an idle stream', [OPEN, server(rstStream(3, 8), 'PROTOCOL_ERROR connection §5.1')]],
  [
    'of 3 and of 5 octets',
    [
      OPEN,
      client(frame(3, 0, 1, new Uint8Array(3)), 'FRAME_SIZE_ERROR connection §6.4'),
      server(frame(3, 0, 1, new Uint8Array(5)), 'FRAME_SIZE_ERROR connection §6.4'),
    ],
  ],
  ['with an unknown error code (§7)', [OPEN, client(rstStream(1, 0xff))]],
]);

check('SETTINGS (§6.5)', [
  [
    'an acknowledgement with a payload',
    [client(frame(4, 1, 0, new Uint8Array(6)), 'FRAME_SIZE_ERROR connection §6.5')],
  ],
  ['on a stream', [OPEN, client(frame(4, 0, 1), 'PROTOCOL_ERROR connection §6.5')]],
  ['of 3 octets', [server(frame(4, 0, 0, new Uint8Array(3)), 'FRAME_SIZE_ERROR connection §6.5')]],
  ['ENABLE_PUSH of 2', [client(settings([[Setting.ENABLE_PUSH, 2]]), 'PROTOCOL_ERROR connection §6.5.2')]],
  [
    'ENABLE_PUSH of 1: of a client, and of a server',
    [
      client(settings([[Setting.ENABLE_PUSH, 1]])),
      server(settings([[Setting.ENABLE_PUSH, 0]])),
      server(settings([[Setting.ENABLE_PUSH, 1]]), 'PROTOCOL_ERROR connection §6.5.2'),
    ],
  ],
  [
    'INITIAL_WINDOW_SIZE of 2^31 - 1 and of 2^31',
    [
      client(settings([[Setting.INITIAL_WINDOW_SIZE, 2 ** 31 - 1]])),
      client(settings([[Setting.INITIAL_WINDOW_SIZE, 2 ** 31]]), 'FLOW_CONTROL_ERROR connection §6.5.2'),
    ],
  ],
  [
    'MAX_FRAME_SIZE below and above its range',
    [
      client(settings([[Setting.MAX_FRAME_SIZE, 16_383]]), 'PROTOCOL_ERROR connection §6.5.2'),
      server(settings([[Setting.MAX_FRAME_SIZE, 2 ** 24]]), 'PROTOCOL_ERROR connection §6.5.2'),
      client(settings([[Setting.MAX_FRAME_SIZE, 2 ** 24 - 1]])),
      server(settings([[Setting.MAX_FRAME_SIZE, 16_384]])),
    ],
  ],
  [
    'a value that is not allowed is not taken: frames are measured by the one before',
    [
      server(settings([[Setting.MAX_FRAME_SIZE, 10]]), 'PROTOCOL_ERROR connection §6.5.2'),
      client(settingsAck()),
      client(headersFrame(1, REQUEST)),
    ],
  ],
  [
    'several faults of one frame',
    [
      client(
        settings([
          [Setting.ENABLE_PUSH, 3],
          [Setting.MAX_FRAME_SIZE, 0],
        ]),
        'PROTOCOL_ERROR connection §6.5.2',
        'PROTOCOL_ERROR connection §6.5.2',
      ),
    ],
  ],
  ['an unknown identifier', [client(settings([[0xff, 1]])), server(settingsAck())]],
  [
    'a value more than once (§6.5.3), and the window changed under open streams (§6.9.2)',
    [
      OPEN,
      client(
        settings([
          [Setting.INITIAL_WINDOW_SIZE, 100],
          [Setting.INITIAL_WINDOW_SIZE, 1],
        ]),
      ),
      server(settingsAck()),
      ANSWER,
      server(data(1, hex('00'))),
    ],
  ],
]);

const PROMISE = 'PROTOCOL_ERROR connection';

check('PUSH_PROMISE (§6.6, §8.4)', [
  ['of a client', [OPEN, client(pushPromise(1, 2, REQUEST), `${PROMISE} §8.4`)]],
  ['as it should be', [OPEN, server(pushPromise(1, 2, REQUEST, { padding: 3 })), server(pushPromise(1, 6, REQUEST))]],
  ['on stream 0', [OPEN, server(pushPromise(0, 2, REQUEST), `${PROMISE} §6.6`)]],
  ['on an idle stream', [OPEN, server(pushPromise(3, 2, REQUEST), `${PROMISE} §5.1`)]],
  ['of an odd stream', [OPEN, server(pushPromise(1, 3, REQUEST), `${PROMISE} §5.1.1`)]],
  ['of stream 0', [OPEN, server(pushPromise(1, 0, REQUEST), `${PROMISE} §5.1.1`)]],
  [
    'of a stream below the newest',
    [OPEN, server(pushPromise(1, 4, REQUEST)), server(pushPromise(1, 2, REQUEST), `${PROMISE} §5.1.1`)],
  ],
  [
    'although the client does not want it',
    [OPEN, server(pushPromise(1, 2, REQUEST), `${PROMISE} §6.6`)],
    { clientSettings: [[Setting.ENABLE_PUSH, 0]] },
  ],
  [
    'a pad length that leaves no room for the stream',
    [OPEN, server(frame(5, PADDED | END_HEADERS, 1, hex('01 00 00 00 02')), `${PROMISE} §6.6`)],
  ],
  ['too short', [OPEN, server(frame(5, END_HEADERS, 1, hex('00 00 02')), 'FRAME_SIZE_ERROR connection §6.6')]],
  [
    'with CONTINUATION, on a stream that has ended on the other side',
    [
      client(headersFrame(1, REQUEST, { endStream: true })),
      server(pushPromise(1, 2, REQUEST.subarray(0, 5), { endHeaders: false })),
      server(continuation(1, REQUEST.subarray(5))),
      ANSWER,
    ],
  ],
]);

check('PING (§6.7)', [
  [
    'and its acknowledgement',
    [client(ping(hex('01 02 03 04 05 06 07 08'))), server(ping(hex('01 02 03 04 05 06 07 08'), { ack: true }))],
  ],
  ['an acknowledgement of nothing', [server(ping(hex('09 09 09 09 09 09 09 09'), { ack: true }))]],
  ['on a stream', [OPEN, client(frame(6, 0, 1, new Uint8Array(8)), 'PROTOCOL_ERROR connection §6.7')]],
  ['of 6 octets', [client(frame(6, 0, 0, new Uint8Array(6)), 'FRAME_SIZE_ERROR connection §6.7')]],
]);

check('GOAWAY (§6.8)', [
  ['on a stream', [OPEN, client(frame(7, 0, 1, new Uint8Array(8)), 'PROTOCOL_ERROR connection §6.8')]],
  ['of 7 octets', [server(frame(7, 0, 0, new Uint8Array(7)), 'FRAME_SIZE_ERROR connection §6.8')]],
  ['with an unknown error code (§7) and debug data', [server(goaway(0, 0xff, hex('64 65 62 75 67')))]],
  [
    'again, with a lower and with a higher last stream',
    [
      server(goaway(2 ** 31 - 1)),
      server(goaway(5)),
      server(goaway(5)),
      server(goaway(7), 'PROTOCOL_ERROR connection §6.8'),
    ],
  ],
]);

check('WINDOW_UPDATE (§6.9)', [
  ['of 0 on the connection', [client(windowUpdate(0, 0), 'PROTOCOL_ERROR connection §6.9')]],
  ['of 0 on a stream', [OPEN, server(windowUpdate(1, 0), 'PROTOCOL_ERROR stream §6.9')]],
  ['of 0 with the reserved bit', [client(frame(8, 0, 0, hex('80 00 00 00')), 'PROTOCOL_ERROR connection §6.9')]],
  [
    'of 3 and of 5 octets',
    [
      client(frame(8, 0, 0, new Uint8Array(3)), 'FRAME_SIZE_ERROR connection §6.9'),
      server(frame(8, 0, 0, new Uint8Array(5)), 'FRAME_SIZE_ERROR connection §6.9'),
    ],
  ],
  [
    'on a stream and on the connection',
    [OPEN, server(windowUpdate(1, 1)), client(windowUpdate(1, 1)), client(windowUpdate(0, 1))],
  ],
]);

const NO_BLOCK = 'PROTOCOL_ERROR connection §6.10';

check('CONTINUATION (§6.10)', [
  [
    'several',
    [
      client(headersFrame(1, REQUEST, { endHeaders: false })),
      client(continuation(1, TRAILERS, { endHeaders: false })),
      client(continuation(1, new Uint8Array(0), { endHeaders: false })),
      client(continuation(1, TRAILERS)),
    ],
  ],
  [
    'DATA after it, and the block goes on',
    [
      client(headersFrame(1, REQUEST, { endHeaders: false })),
      client(continuation(1, TRAILERS, { endHeaders: false })),
      client(data(1, hex('00')), NO_BLOCK),
      client(continuation(1, TRAILERS)),
    ],
  ],
  [
    'on stream 0',
    [
      client(headersFrame(1, REQUEST, { endHeaders: false })),
      client(continuation(0, TRAILERS), NO_BLOCK, NO_BLOCK),
      client(continuation(1, TRAILERS)),
    ],
  ],
  [
    'on another stream',
    [
      client(headersFrame(1, REQUEST, { endHeaders: false })),
      client(continuation(3, TRAILERS), NO_BLOCK),
      client(continuation(1, TRAILERS)),
    ],
  ],
  ['after HEADERS with END_HEADERS', [OPEN, client(continuation(1, TRAILERS), NO_BLOCK)]],
  [
    'after CONTINUATION with END_HEADERS',
    [
      client(headersFrame(1, REQUEST, { endHeaders: false })),
      client(continuation(1, TRAILERS)),
      client(continuation(1, TRAILERS), NO_BLOCK),
    ],
  ],
  ['after DATA', [OPEN, client(data(1, hex('00'))), client(continuation(1, TRAILERS), NO_BLOCK)]],
]);
