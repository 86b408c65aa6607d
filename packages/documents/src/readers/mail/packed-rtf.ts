import { u32At } from '../hwp/bytes.ts';

// RTF as Outlook packs it. Source: MS-OXRTFCP.

const HEAD_BYTES = 16;
const PACKED_KIND = 0x75465a4c;
const PLAIN_KIND = 0x414c454d;
const RING_BYTES = 4_096;
/** What the ring holds before the text begins. */
const START = Buffer.from(
  '{\\rtf1\\ansi\\mac\\deff0\\deftab720{\\fonttbl;}{\\f0\\fnil \\froman \\fswiss \\fmodern \\fscript \\fdecor MS Sans SerifSymbolArialTimes New RomanCourier{\\colortbl\\red0\\green0\\blue0\r\n\\par \\pard\\plain\\f0\\fs20\\b\\i\\u\\tab\\tx',
  'latin1',
);

/** Unpacked bytes, at most so many; null for what is not packed RTF. One that was cut is read as far as it goes. */
export function unpackRtf(packed: Uint8Array, most: number): Uint8Array | null {
  const kind = u32At(packed, 8);
  if (packed.length < HEAD_BYTES || (kind !== PACKED_KIND && kind !== PLAIN_KIND)) return null;
  const length = Math.min(most, u32At(packed, 4));
  if (kind === PLAIN_KIND) return packed.subarray(HEAD_BYTES, HEAD_BYTES + length);
  const ring = new Uint8Array(RING_BYTES);
  ring.set(START);
  // No two bytes give more than 17.
  const out = new Uint8Array(Math.min(length, (packed.length - HEAD_BYTES) * 17));
  let [at, to, end] = [HEAD_BYTES, 0, START.length];
  const put = (byte: number) => {
    out[to++] = byte;
    ring[end] = byte;
    end = (end + 1) % RING_BYTES;
  };
  while (at < packed.length && to < out.length) {
    const flags = packed[at++] ?? 0;
    for (let bit = 0; bit < 8 && at < packed.length && to < out.length; bit++) {
      if (((flags >> bit) & 1) === 0) put(packed[at++] ?? 0);
      else {
        const pair = ((packed[at] ?? 0) << 8) | (packed[at + 1] ?? 0);
        at += 2;
        const from = pair >> 4;
        // A place that is just being written to ends the text.
        if (from === end) return out.subarray(0, to);
        for (let step = 0; step < (pair & 15) + 2 && to < out.length; step++)
          put(ring[(from + step) % RING_BYTES] ?? 0);
      }
    }
  }
  return out.subarray(0, to);
}
