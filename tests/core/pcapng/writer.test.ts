import { describe, expect, test } from 'vitest';
import { encodeUtf8, OPT_COMMENT, textOption } from '../../../src/core/pcapng/write-options';
import {
  encodeInterface,
  encodePacket,
  encodeSectionHeader,
  encodeStatistics,
  LINKTYPE_RAW,
  packetBlockLength,
} from '../../../src/core/pcapng/writer';
import { hex, toHex } from '../../support/octets';

describe('pcapng blocks', () => {
  test('a section header names its program and has no length', () => {
    expect(toHex(encodeSectionHeader({ application: 'Penstock 1' }))).toBe(
      toHex(
        hex(`0a 0d 0d 0a                                     ; Section Header Block
             30 00 00 00                                     ; 48 octets
             4d 3c 2b 1a | 01 00 | 00 00                     ; byte order, version 1.0
             ff ff ff ff ff ff ff ff                         ; section length unknown
             04 00 | 0a 00 | 50 65 6e 73 74 6f 63 6b 20 31 00 00 ; shb_userappl, padded
             00 00 | 00 00                                   ; opt_endofopt
             30 00 00 00`),
      ),
    );
  });

  test('an interface has its link type, its texts and its resolution', () => {
    const octets = encodeInterface({ linkType: LINKTYPE_RAW, name: 'tap', description: 'up', comment: '{}' });
    expect(toHex(octets)).toBe(
      toHex(
        hex(`01 00 00 00 | 38 00 00 00
             65 00 | 00 00 | 00 00 00 00        ; LINKTYPE_RAW, reserved, no snap length
             01 00 | 02 00 | 7b 7d 00 00        ; opt_comment {}
             02 00 | 03 00 | 74 61 70 00        ; if_name
             03 00 | 02 00 | 75 70 00 00        ; if_description
             09 00 | 01 00 | 09 00 00 00        ; if_tsresol: nanoseconds
             00 00 | 00 00
             38 00 00 00`),
      ),
    );
  });

  test('a packet is padded, and its comment follows it', () => {
    const comment = [textOption(OPT_COMMENT, 'hm')];
    const octets = encodePacket(3, { high: 0x18a00000, low: 0x00000001 }, hex('aa bb cc dd ee'), 9, comment);
    expect(toHex(octets)).toBe(
      toHex(
        hex(`06 00 00 00 | 34 00 00 00
             03 00 00 00                        ; interface
             00 00 a0 18 | 01 00 00 00          ; time, high half first
             05 00 00 00 | 09 00 00 00          ; captured and original length
             aa bb cc dd ee 00 00 00
             01 00 | 02 00 | 68 6d 00 00
             00 00 | 00 00
             34 00 00 00`),
      ),
    );
    expect(octets).toHaveLength(packetBlockLength(5, comment));
  });

  test('statistics have a time, counts of 64 bits and a comment', () => {
    const octets = encodeStatistics({
      interfaceId: 1,
      time: { high: 2, low: 3 },
      received: 2 ** 32 + 5,
      dropped: 0,
      comment: 'x',
    });
    expect(toHex(octets)).toBe(
      toHex(
        hex(`05 00 00 00 | 3c 00 00 00
             01 00 00 00 | 02 00 00 00 | 03 00 00 00
             01 00 | 01 00 | 78 00 00 00
             04 00 | 08 00 | 05 00 00 00 01 00 00 00 ; isb_ifrecv
             05 00 | 08 00 | 00 00 00 00 00 00 00 00 ; isb_ifdrop
             00 00 | 00 00
             3c 00 00 00`),
      ),
    );
  });

  test('texts are UTF-8, as the platform encodes it, and are cut between characters', () => {
    const text = 'penstock: é € 😀 \ud800';
    expect(toHex(encodeUtf8(text))).toBe(toHex(new TextEncoder().encode(text)));
    const { value } = textOption(OPT_COMMENT, '€'.repeat(30_000));
    expect(value.length).toBeLessThan(65_536);
    expect(new TextDecoder('utf-8', { fatal: true }).decode(value)).toMatch(/^€+$/);
  });
});
