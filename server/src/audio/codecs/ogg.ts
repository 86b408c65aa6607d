import { corrupted } from './sound.ts';

// The Ogg container. Source: RFC 3533, section 6.

/** A packet of the first stream of a file. */
export interface OggPacket {
  readonly bytes: Uint8Array;
  /** Granule position of the page, for the last packet that ends on it; null for the others. */
  readonly granule: bigint | null;
}

const HEADER_BYTES = 27;
const CAPTURE_PATTERN = 0x4f_67_67_53;

interface OggPage {
  readonly serial: number;
  readonly granule: bigint;
  /** Whether its first packet began on the previous page. */
  readonly isContinued: boolean;
  /** Lengths of its segments. One below 255 ends a packet. */
  readonly lacing: Uint8Array;
  readonly body: Uint8Array;
}

/** Yields the pages of a file in order. Skips damaged bytes between them; the last page may be truncated. */
function* oggPages(bytes: Uint8Array): Generator<OggPage, void> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = 0; at + HEADER_BYTES <= bytes.length;) {
    if (view.getUint32(at) !== CAPTURE_PATTERN) {
      at++;
      continue;
    }
    const start = at + HEADER_BYTES + (bytes[at + 26] ?? 0);
    if (start > bytes.length) return;
    const lacing = bytes.subarray(at + HEADER_BYTES, start);
    const end = start + lacing.reduce((sum, length) => sum + length, 0);
    yield {
      serial: view.getUint32(at + 14, true),
      granule: view.getBigInt64(at + 6, true),
      isContinued: ((bytes[at + 5] ?? 0) & 1) === 1,
      lacing,
      body: bytes.subarray(start, end),
    };
    at = end;
  }
}

/** Yields the packets of the first logical stream of a file, in order. */
export function* oggPackets(bytes: Uint8Array): Generator<OggPacket, void> {
  let streamSerial: number | null = null;
  /** Parts of a packet that continues on the next page. */
  let pendingParts: Uint8Array[] = [];
  for (const { serial, granule, isContinued, lacing, body } of oggPages(bytes)) {
    streamSerial ??= serial;
    if (serial !== streamSerial) continue;
    // The beginning of the packet was lost with the previous page.
    let isBeginningLost = isContinued && pendingParts.length === 0;
    if (!isContinued) pendingParts = [];
    const lastEnd = lacing.findLastIndex((length) => length < 255);
    let start = 0;
    let end = 0;
    for (const [i, length] of lacing.entries()) {
      end += length;
      if (length === 255) continue;
      const segmentBytes = body.subarray(start, end);
      start = end;
      if (!isBeginningLost)
        yield {
          bytes: pendingParts.length === 0 ? segmentBytes : Buffer.concat([...pendingParts, segmentBytes]),
          granule: i === lastEnd ? granule : null,
        };
      isBeginningLost = false;
      pendingParts = [];
    }
    if (end > start && !isBeginningLost) pendingParts.push(body.subarray(start, end));
  }
}

const POLYNOMIAL = 0x04_c1_1d_b7;
const checksumTable = Uint32Array.from({ length: 256 }, (_, index) => {
  let value = index << 24;
  for (let bit = 0; bit < 8; bit++) value = value & 0x80_00_00_00 ? (value << 1) ^ POLYNOMIAL : value << 1;
  return value >>> 0;
});

function checksum(page: Uint8Array): number {
  let sum = 0;
  for (const byte of page) sum = ((sum << 8) ^ (checksumTable[(sum >>> 24) ^ byte] ?? 0)) >>> 0;
  return sum;
}

/** Writes the pages of one stream. */
export function createOggWriter(serial: number) {
  let pageNumber = 0;
  return {
    /** Writes a page of whole packets, with at most 255 segments. */
    page(packets: readonly Uint8Array[], granule: bigint, { first = false, last = false } = {}): Buffer {
      const lacing = packets.flatMap((packet) => [
        ...Array.from({ length: Math.floor(packet.length / 255) }, () => 255),
        packet.length % 255,
      ]);
      if (lacing.length > 255) throw corrupted();
      const header = Buffer.alloc(HEADER_BYTES);
      header.write('OggS', 0, 'latin1');
      header[5] = (first ? 2 : 0) | (last ? 4 : 0);
      header.writeBigInt64LE(granule, 6);
      header.writeUInt32LE(serial, 14);
      header.writeUInt32LE(pageNumber++, 18);
      header[26] = lacing.length;
      const page = Buffer.concat([header, Buffer.from(lacing), ...packets]);
      page.writeUInt32LE(checksum(page), 22);
      return page;
    },
  };
}
