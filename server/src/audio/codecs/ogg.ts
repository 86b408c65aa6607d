import { corrupted } from './sound.ts';

// The Ogg container. Source: RFC 3533, section 6.

/** A packet of the first stream of a file. */
export interface OggPacket {
  readonly bytes: Uint8Array;
  /** Position of the last packet that ends on its page, of those on it; null where another one follows there. */
  readonly granule: bigint | null;
}

const HEAD = 27;

/** Packets of the first logical stream, in order. Pages of others and what is broken between pages are left out. */
export function* oggPackets(bytes: Uint8Array): Generator<OggPacket, void> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let serial: number | null = null;
  let begun: Uint8Array[] = [];
  for (let at = 0; at + HEAD <= bytes.length;) {
    if (view.getUint32(at) !== 0x4f_67_67_53) {
      at++;
      continue;
    }
    const segments = bytes[at + 26] ?? 0;
    const body = at + HEAD + segments;
    if (body > bytes.length) return;
    const lacing = bytes.subarray(at + HEAD, body);
    const size = lacing.reduce((sum, one) => sum + one, 0);
    const mine = view.getUint32(at + 14, true);
    serial ??= mine;
    if (mine === serial) {
      const granule = view.getBigInt64(at + 6, true);
      // A page that continues nothing: its first packet has no beginning.
      const continues = ((bytes[at + 5] ?? 0) & 1) === 1;
      let lost = continues && begun.length === 0;
      if (!continues) begun = [];
      const ends = lacing.reduce((last, one, i) => (one < 255 ? i : last), -1);
      let from = body;
      let start = body;
      for (const [i, one] of lacing.entries()) {
        from += one;
        if (one === 255) continue;
        const part = bytes.subarray(start, Math.min(from, bytes.length));
        start = from;
        if (lost) lost = false;
        else
          yield {
            bytes: begun.length === 0 ? part : Buffer.concat([...begun, part]),
            granule: i === ends ? granule : null,
          };
        begun = [];
      }
      if (from > start && !lost) begun.push(bytes.subarray(start, Math.min(from, bytes.length)));
    }
    at = body + size;
  }
}

const POLYNOMIAL = 0x04_c1_1d_b7;
const table = Uint32Array.from({ length: 256 }, (_, index) => {
  let value = index << 24;
  for (let bit = 0; bit < 8; bit++) value = value & 0x80_00_00_00 ? (value << 1) ^ POLYNOMIAL : value << 1;
  return value >>> 0;
});

function checksum(page: Uint8Array): number {
  let sum = 0;
  for (const byte of page) sum = ((sum << 8) ^ (table[(sum >>> 24) ^ byte] ?? 0)) >>> 0;
  return sum;
}

/** Writes the pages of one stream. */
export function createOggWriter(serial: number) {
  let number = 0;
  return {
    /** A page of whole packets, of 255 segments at most. */
    page(packets: readonly Uint8Array[], granule: bigint, { first = false, last = false } = {}): Buffer {
      const lacing = packets.flatMap((packet) => [
        ...Array.from({ length: Math.floor(packet.length / 255) }, () => 255),
        packet.length % 255,
      ]);
      if (lacing.length > 255) throw corrupted();
      const head = Buffer.alloc(HEAD);
      head.write('OggS', 0, 'latin1');
      head[5] = (first ? 2 : 0) | (last ? 4 : 0);
      head.writeBigInt64LE(granule, 6);
      head.writeUInt32LE(serial, 14);
      head.writeUInt32LE(number++, 18);
      head[26] = lacing.length;
      const page = Buffer.concat([head, Buffer.from(lacing), ...packets]);
      page.writeUInt32LE(checksum(page), 22);
      return page;
    },
  };
}
