/** kbit/s of layer III by version 1, and by versions 2 and 2.5. Source: ISO 11172-3, 2.4.2.3; ISO 13818-3, 2.4.2.3. */
const bitRates = [
  [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
] as const;
const sampleRates = [44_100, 48_000, 32_000] as const;

/** Length in bytes and seconds of a frame of layer III that begins with four bytes; null where none does. */
export function mp3Frame(bytes: Uint8Array, at: number): { readonly length: number; readonly seconds: number } | null {
  const [first = 0, second = 0, third = 0] = [bytes[at], bytes[at + 1], bytes[at + 2]];
  const version = (second >> 3) & 3;
  if (first !== 0xff || (second & 0xe6) !== 0xe2 || version === 1) return null;
  const kilobits = bitRates[version === 3 ? 0 : 1][third >> 4] ?? 0;
  const full = sampleRates[(third >> 2) & 3] ?? 0;
  if (kilobits === 0 || full === 0) return null;
  const rate = version === 3 ? full : version === 2 ? full / 2 : full / 4;
  const samples = version === 3 ? 1152 : 576;
  const padding = (third >> 1) & 1;
  return { length: Math.floor((samples / 8) * ((kilobits * 1000) / rate)) + padding, seconds: samples / rate };
}

/** Frames that must follow each other until a place counts as the start of one. */
const CHAIN = 4;

/** The first place from which frames follow each other; -1 where there is none up to `until`. For a file that begins within a frame. */
export function findMp3Frames(bytes: Uint8Array, from: number, until: number): number {
  for (let start = from; start < until; start++) {
    if (bytes[start] !== 0xff) continue;
    let at = start;
    let found = 0;
    for (; found < CHAIN; found++) {
      const frame = mp3Frame(bytes, at);
      if (frame === null) break;
      at += frame.length;
    }
    if (found === CHAIN) return start;
  }
  return -1;
}
