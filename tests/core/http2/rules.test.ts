/** RFC 9113 §4 and §5, and HPACK's faults as §4.3 has them. Which rules there are to try is h2spec's list. */
import { Setting } from '../../../src/shared/names';
import {
  concat,
  continuation,
  data,
  frame,
  headersFrame,
  hex,
  incremental,
  indexed,
  literal,
  literals,
  ping,
  priority,
  pushPromise,
  rstStream,
  sizeUpdate,
  splitHeaders,
  windowUpdate,
} from '../../support/encode';
import { type Case, check, client, REQUEST, RESPONSE, type Step, server, TRAILERS } from './rules';

const OPEN = client(headersFrame(1, REQUEST));
const OPEN_AND_END = client(headersFrame(1, REQUEST, { endStream: true }));
const ANSWER = server(headersFrame(1, RESPONSE));
const ANSWER_AND_END = server(headersFrame(1, RESPONSE, { endStream: true }));
/** More than 2^14 octets of literals, all sound. */
const LONG_BLOCK = concat(REQUEST, literal('x-long', 'x'.repeat(16_500)));
const LONG_ANSWER = concat(RESPONSE, literal('x-long', 'x'.repeat(16_500)));

check('frame format (§4.1, §5.5)', [
  ['an unknown type is ignored', [client(frame(0xff, 0, 0, new Uint8Array(8))), server(frame(0x16, 0xff, 9))]],
  ['on a stream too, idle or not', [OPEN, client(frame(0xff, 0, 1)), server(frame(0xff, 0, 99))]],
  ['undefined flags are ignored', [client(frame(6, 0xfe, 0, new Uint8Array(8)))]],
  ['the reserved bit is ignored', [client(frame(6, 0, 0, new Uint8Array(8), { reserved: 1 }))]],
  [
    'an unknown type inside a header block is not',
    [
      client(headersFrame(1, REQUEST, { endHeaders: false })),
      client(frame(0xfa, 0, 1), 'PROTOCOL_ERROR connection §6.10'),
      client(continuation(1, TRAILERS)),
    ],
  ],
]);

check('frame size (§4.2)', [
  [
    '2^14 octets of DATA',
    [OPEN, client(data(1, new Uint8Array(16384))), ANSWER, server(data(1, new Uint8Array(16384)))],
  ],
  [
    'one octet more: a fault of the stream',
    [
      OPEN,
      client(data(1, new Uint8Array(16385)), 'FRAME_SIZE_ERROR stream §4.2'),
      ANSWER,
      server(data(1, new Uint8Array(16385)), 'FRAME_SIZE_ERROR stream §4.2'),
    ],
  ],
  [
    'HEADERS: of the connection, and decoded all the same',
    [
      client(headersFrame(1, LONG_BLOCK), 'FRAME_SIZE_ERROR connection §4.2'),
      server(headersFrame(1, LONG_ANSWER), 'FRAME_SIZE_ERROR connection §4.2'),
    ],
  ],
  [
    'an unknown type: of its stream; on stream 0 of the connection',
    [
      OPEN,
      client(frame(0xfa, 0, 1, new Uint8Array(16385)), 'FRAME_SIZE_ERROR stream §4.2'),
      client(frame(0xfa, 0, 0, new Uint8Array(16385)), 'FRAME_SIZE_ERROR connection §4.2'),
    ],
  ],
  [
    'what the receiver allows, and what it does not ask of itself',
    [
      OPEN,
      client(data(1, new Uint8Array(20_000))),
      ANSWER,
      server(data(1, new Uint8Array(20_000)), 'FRAME_SIZE_ERROR stream §4.2'),
    ],
    { serverSettings: [[Setting.MAX_FRAME_SIZE, 20_000]] },
  ],
]);

const INTERLEAVED = 'PROTOCOL_ERROR connection §6.10';
const COMPRESSION = 'COMPRESSION_ERROR connection §4.3';

function badBlock(title: string, block: Uint8Array): Case {
  const request = client(headersFrame(1, concat(REQUEST, block)), COMPRESSION);
  return [title, [request, server(headersFrame(1, concat(RESPONSE, block)), COMPRESSION)]];
}

check('header compression (§4.3)', [
  badBlock('index 0 (RFC 7541 §6.1)', hex('80')),
  badBlock('an index beyond the table (RFC 7541 §2.3.3)', indexed(70)),
  badBlock('a literal that is cut (RFC 7541 §5.2)', hex('40 7f')),
  badBlock('a table size update at the end (RFC 7541 §4.2)', sizeUpdate(1)),
  badBlock('Huffman padding longer than seven bits (RFC 7541 §5.2)', hex('00 01 78 82 1f ff')), // x: a, 1 octet too many
  badBlock('Huffman padding of zeros (RFC 7541 §5.2)', hex('00 01 78 81 18')), // x: a = 00011, 000
  badBlock('Huffman code with EOS (RFC 7541 §5.2)', hex('00 01 78 84 ff ff ff fc')),
  [
    'a table size above SETTINGS_HEADER_TABLE_SIZE (RFC 7541 §6.3)',
    [client(headersFrame(1, concat(sizeUpdate(4097), REQUEST)), COMPRESSION)],
  ],
  [
    'up to what the receiver allows, that it is',
    [
      client(headersFrame(1, concat(sizeUpdate(8192), REQUEST))),
      server(headersFrame(1, concat(sizeUpdate(8192), RESPONSE)), COMPRESSION),
    ],
    { serverSettings: [[Setting.HEADER_TABLE_SIZE, 8192]] },
  ],
  [
    'no table size update although the receiver lowered the limit (RFC 7541 §4.2)',
    [client(headersFrame(1, REQUEST), COMPRESSION), client(headersFrame(3, REQUEST))],
    { serverSettings: [[Setting.HEADER_TABLE_SIZE, 100]] },
  ],
  [
    'the fields of every representation, and two size updates at the beginning',
    [
      client(
        headersFrame(
          1,
          concat(
            sizeUpdate(0),
            sizeUpdate(4096),
            indexed(2), // :method: GET
            incremental(':path', '/a', { huffman: true }),
            incremental('x-a', '1'),
            indexed(62), // x-a: 1
            literal(62, '2', { huffman: true }), // x-a: 2
          ),
        ),
      ),
    ],
  ],
  [
    'PRIORITY inside a header block',
    [
      client(headersFrame(1, REQUEST, { endHeaders: false })),
      client(priority(1, { dependency: 0, weight: 16 }), INTERLEAVED),
      client(continuation(1, TRAILERS)),
    ],
  ],
  [
    'HEADERS of another stream inside a header block',
    [client(headersFrame(1, REQUEST, { endHeaders: false })), client(headersFrame(3, REQUEST), INTERLEAVED)],
  ],
  [
    'what the other side sends in the meantime is no matter',
    [client(headersFrame(1, REQUEST, { endHeaders: false })), server(ping()), client(continuation(1, TRAILERS))],
  ],
  ['a block in as many frames as it has octets', splitHeaders(1, REQUEST, 1).map((octets) => client(octets))],
]);

const IDLE = 'PROTOCOL_ERROR connection §5.1';
const CLOSED = 'STREAM_CLOSED stream §5.1';
const NO_BLOCK = 'PROTOCOL_ERROR connection §6.10';

/** DATA, HEADERS and CONTINUATION of `peer` where it may send none of them. */
function afterEnd(title: string, before: Step[], peer: typeof client, block: Uint8Array): Case[] {
  return [
    [`${title}: DATA`, [...before, peer(data(1, hex('00')), CLOSED)]],
    [`${title}: HEADERS`, [...before, peer(headersFrame(1, block, { endStream: true }), CLOSED)]],
    [`${title}: CONTINUATION`, [...before, peer(continuation(1, block), NO_BLOCK)]],
    [`${title}: PRIORITY may come`, [...before, peer(priority(1, { dependency: 0, weight: 1 }))]],
    [`${title}: WINDOW_UPDATE may come`, [...before, peer(windowUpdate(1, 1))]],
    [`${title}: RST_STREAM may come`, [...before, peer(rstStream(1, 8))]],
  ];
}

check('stream states (§5.1)', [
  ['idle: DATA of a client', [client(data(1, hex('00')), IDLE)]],
  ['idle: RST_STREAM of a client', [client(rstStream(1, 8), IDLE)]],
  ['idle: WINDOW_UPDATE of a client', [client(windowUpdate(1, 1), IDLE)]],
  ['idle: CONTINUATION of a client', [client(continuation(1, REQUEST), NO_BLOCK)]],
  ['idle: PRIORITY may come', [client(priority(1, { dependency: 0, weight: 1 })), client(headersFrame(1, REQUEST))]],
  ['idle: DATA of a server', [OPEN, server(data(3, hex('00')), IDLE)]],
  ['idle: HEADERS of a server', [OPEN, server(headersFrame(3, RESPONSE), IDLE), client(headersFrame(5, REQUEST))]],
  ['idle: RST_STREAM of a server', [OPEN, server(rstStream(3, 8), IDLE)]],
  ['idle: WINDOW_UPDATE of a server', [OPEN, server(windowUpdate(3, 1), IDLE)]],
  ['idle: CONTINUATION of a server', [OPEN, server(continuation(3, RESPONSE), NO_BLOCK)]],
  ['idle: the even numbers, which nobody promised', [OPEN, server(data(2, hex('00')), IDLE)]],
  ...afterEnd('half-closed by the client', [OPEN_AND_END], client, REQUEST),
  ...afterEnd('half-closed by the server', [OPEN, ANSWER_AND_END], server, RESPONSE),
  ...afterEnd("after the client's RST_STREAM", [OPEN, client(rstStream(1, 8))], client, REQUEST),
  ...afterEnd("after the server's RST_STREAM", [OPEN, server(rstStream(1, 2))], server, RESPONSE),
  ...afterEnd('closed: the client', [OPEN_AND_END, ANSWER_AND_END], client, REQUEST),
  ...afterEnd('closed: the server', [OPEN_AND_END, ANSWER_AND_END], server, RESPONSE),
  [
    'what was on its way when the peer reset is no fault',
    [OPEN, server(rstStream(1, 8)), client(data(1, hex('00'))), client(headersFrame(1, TRAILERS, { endStream: true }))],
  ],
  [
    'a server may answer before the request has ended',
    [OPEN, ANSWER_AND_END, client(data(1, hex('00'), { endStream: true }))],
  ],
  [
    'reserved: HEADERS open it, nothing before',
    [
      OPEN_AND_END,
      server(pushPromise(1, 2, REQUEST)),
      server(data(2, hex('00')), 'PROTOCOL_ERROR connection §5.1'),
      server(headersFrame(2, RESPONSE)),
      server(data(2, hex('00'), { endStream: true })),
      client(windowUpdate(2, 1)),
      server(data(2, hex('00')), CLOSED),
    ],
  ],
]);

check('stream identifiers (§5.1.1, §5.1.2)', [
  ['an even one of a client', [client(headersFrame(2, REQUEST), 'PROTOCOL_ERROR connection §5.1.1'), OPEN]],
  [
    'one below the newest',
    [client(headersFrame(5, REQUEST)), client(headersFrame(3, REQUEST), 'PROTOCOL_ERROR connection §5.1.1')],
  ],
  ['some may be left out', [client(headersFrame(7, REQUEST)), client(headersFrame(2 ** 31 - 1, REQUEST))]],
  [
    'a faulty one does not make the next faulty',
    [
      OPEN,
      server(headersFrame(99, RESPONSE), IDLE),
      client(headersFrame(3, REQUEST)),
      server(pushPromise(3, 2, REQUEST)),
    ],
  ],
  [
    'more at once than the server allows',
    [OPEN, client(headersFrame(3, REQUEST), 'PROTOCOL_ERROR stream §5.1.2'), ANSWER],
    { serverSettings: [[Setting.MAX_CONCURRENT_STREAMS, 1]] },
  ],
  [
    'one after another, those that it allows',
    [
      OPEN_AND_END,
      ANSWER_AND_END,
      client(headersFrame(3, REQUEST)),
      client(rstStream(3, 8)),
      client(headersFrame(5, REQUEST)),
      server(rstStream(5, 7)),
      client(headersFrame(7, REQUEST)),
      client(headersFrame(9, REQUEST), 'PROTOCOL_ERROR stream §5.1.2'),
    ],
    { serverSettings: [[Setting.MAX_CONCURRENT_STREAMS, 1]] },
  ],
  [
    'pushed streams count when they open',
    [
      OPEN_AND_END,
      server(pushPromise(1, 2, REQUEST)),
      server(pushPromise(1, 4, REQUEST)),
      server(headersFrame(2, RESPONSE)),
      server(headersFrame(4, RESPONSE), 'PROTOCOL_ERROR stream §5.1.2'),
    ],
    { clientSettings: [[Setting.MAX_CONCURRENT_STREAMS, 1]] },
  ],
]);

check('priority (§5.3): a stream that depends on itself was a fault in RFC 7540 only', [
  ['by HEADERS', [client(headersFrame(1, REQUEST, { priority: { dependency: 1, weight: 16 } }))]],
  ['by PRIORITY', [client(priority(1, { dependency: 1, weight: 16, exclusive: true }))]],
]);

check('messages (§8)', [
  [
    'trailers without END_STREAM (§8.1)',
    [
      OPEN,
      client(headersFrame(1, TRAILERS), 'PROTOCOL_ERROR stream §8.1'),
      client(data(1, hex('00'), { endStream: true })),
    ],
  ],
  [
    'DATA before the HEADERS of a response (§8.1): told once',
    [
      OPEN,
      server(data(1, hex('00')), 'PROTOCOL_ERROR stream §8.1'),
      server(data(1, hex('00'))),
      ANSWER,
      server(data(1, hex('00'), { endStream: true })),
    ],
  ],
  [
    'DATA behind an interim response only (§8.1)',
    [
      OPEN,
      server(headersFrame(1, literals([[':status', '103']]))),
      server(data(1, hex('00'), { endStream: true }), 'PROTOCOL_ERROR stream §8.1'),
    ],
  ],
  [
    'DATA behind HEADERS that cannot be decoded: the fault is theirs',
    [OPEN, server(headersFrame(1, hex('80')), 'COMPRESSION_ERROR connection §4.3'), server(data(1, hex('00')))],
  ],
  [
    'DATA inside the HEADERS of a response: the fault is that it stands there',
    [
      OPEN,
      server(headersFrame(1, RESPONSE, { endHeaders: false })),
      server(data(1, hex('00')), 'PROTOCOL_ERROR connection §6.10'),
      server(continuation(1, new Uint8Array(0))),
    ],
  ],
  [
    'interim responses, then the final one, then trailers',
    [
      OPEN,
      server(headersFrame(1, literals([[':status', '100']]))),
      server(headersFrame(1, literals([[':status', '103']]))),
      ANSWER,
      server(data(1, hex('00'))),
      server(headersFrame(1, TRAILERS, { endStream: true })),
    ],
  ],
]);
