/** PNG files of a browser's screenshots, written anew: browsers compress for speed. Only what they write is read. */
import { crc32, deflateSync, inflateSync } from 'node:zlib';

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/**
 * The same pixels in fewer octets: opaque, no filters (which flat colours don't need), compressed as well as can be.
 * @param {Buffer} png 8 bits a channel, RGB or RGBA, not interlaced
 */
export function smaller(png) {
  const header = png.subarray(16, 29);
  const width = header.readUInt32BE(0);
  const height = header.readUInt32BE(4);
  const channels = header[9] === 6 ? 4 : 3;
  if (header[8] !== 8 || ![2, 6].includes(header[9] ?? 0) || header[12] !== 0) throw new Error('no screenshot');
  const pixels = unfiltered(inflateSync(dataOf(png)), width * channels, height, channels);
  const rows = Buffer.alloc(height * (1 + width * 3));
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const from = (y * width + x) * channels;
      pixels.copy(rows, y * (1 + width * 3) + 1 + x * 3, from, from + 3);
    }
  }
  const plain = Buffer.from(header);
  plain[9] = 2;
  const data = deflateSync(rows, { level: 9, memLevel: 9 });
  return Buffer.concat([SIGNATURE, chunk('IHDR', plain), chunk('IDAT', data), chunk('IEND', Buffer.alloc(0))]);
}

/** @param {Buffer} png */
function dataOf(png) {
  const pieces = [];
  for (let at = 8; at < png.length; ) {
    const length = png.readUInt32BE(at);
    if (png.toString('latin1', at + 4, at + 8) === 'IDAT') pieces.push(png.subarray(at + 8, at + 8 + length));
    at += 12 + length;
  }
  return Buffer.concat(pieces);
}

/**
 * PNG specification, "Filtering": each row says how it was told from the pixel before and the row above.
 * @param {Buffer} filtered @param {number} stride @param {number} height @param {number} channels
 */
function unfiltered(filtered, stride, height, channels) {
  const pixels = Buffer.alloc(stride * height);
  for (let y = 0; y < height; y++) {
    const filter = filtered[y * (stride + 1)];
    for (let x = 0; x < stride; x++) {
      const left = x < channels ? 0 : (pixels[y * stride + x - channels] ?? 0);
      const up = y === 0 ? 0 : (pixels[(y - 1) * stride + x] ?? 0);
      const corner = x < channels || y === 0 ? 0 : (pixels[(y - 1) * stride + x - channels] ?? 0);
      const predicted = [0, left, up, (left + up) >> 1, paeth(left, up, corner)][filter ?? 0] ?? 0;
      pixels[y * stride + x] = (filtered[y * (stride + 1) + 1 + x] ?? 0) + predicted;
    }
  }
  return pixels;
}

/** @param {number} left @param {number} up @param {number} corner */
function paeth(left, up, corner) {
  const guess = left + up - corner;
  const [toLeft, toUp, toCorner] = [Math.abs(guess - left), Math.abs(guess - up), Math.abs(guess - corner)];
  if (toLeft <= toUp && toLeft <= toCorner) return left;
  return toUp <= toCorner ? up : corner;
}

/** @param {string} type @param {Buffer} content */
function chunk(type, content) {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), content]);
  const framed = Buffer.alloc(8);
  framed.writeUInt32BE(content.length, 0);
  framed.writeUInt32BE(crc32(named), 4);
  return Buffer.concat([framed.subarray(0, 4), named, framed.subarray(4)]);
}
