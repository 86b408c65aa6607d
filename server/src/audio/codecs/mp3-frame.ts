/** kbit/s of layer III by version 1, and by versions 2 and 2.5. Source: ISO 11172-3, 2.4.2.3; ISO 13818-3, 2.4.2.3. */
const bitRates = [
  [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
] as const;
const sampleRates = [44_100, 48_000, 32_000] as const;

/** Length in bytes and seconds of the layer III frame at an offset; null where none begins there. */
export function mp3Frame(bytes: Uint8Array, at: number): { readonly length: number; readonly seconds: number } | null {
  const [first = 0, second = 0, third = 0] = [bytes[at], bytes[at + 1], bytes[at + 2]];
  const version = (second >> 3) & 3;
  if (first !== 0xff || (second & 0xe6) !== 0xe2 || version === 1) return null;
  const kilobitsPerSecond = bitRates[version === 3 ? 0 : 1][third >> 4] ?? 0;
  const baseRate = sampleRates[(third >> 2) & 3] ?? 0;
  if (kilobitsPerSecond === 0 || baseRate === 0) return null;
  const rate = version === 3 ? baseRate : version === 2 ? baseRate / 2 : baseRate / 4;
  const samples = version === 3 ? 1152 : 576;
  const padding = (third >> 1) & 1;
  return { length: Math.floor((samples / 8) * ((kilobitsPerSecond * 1000) / rate)) + padding, seconds: samples / rate };
}

/** Consecutive frames required to accept an offset as the start of a frame. */
const MIN_CONSECUTIVE_FRAMES = 4;

/** First offset at which consecutive frames begin, or -1; for files that begin in the middle of a frame. */
export function findMp3Frames(bytes: Uint8Array, searchStart: number, searchEnd: number): number {
  for (let start = searchStart; start < searchEnd; start++) {
    if (bytes[start] !== 0xff) continue;
    let at = start;
    let count = 0;
    for (; count < MIN_CONSECUTIVE_FRAMES; count++) {
      const frame = mp3Frame(bytes, at);
      if (frame === null) break;
      at += frame.length;
    }
    if (count === MIN_CONSECUTIVE_FRAMES) return start;
  }
  return -1;
}
