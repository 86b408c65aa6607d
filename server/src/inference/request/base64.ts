/** Characters that are decoded at a time: a multiple of four. */
const CHUNK = 64 * 1024;

/** Whether characters are base64 of three bytes for four; the last four of a text may end with padding. */
function isChunk(chunk: string, isLast: boolean): boolean {
  // The decoder also takes the alphabet of URLs, and leaves out what it does not know.
  if (/[-_]/.test(chunk)) return false;
  const padding = isLast ? (chunk.endsWith('==') ? 2 : chunk.endsWith('=') ? 1 : 0) : 0;
  return Buffer.from(chunk, 'base64').length === (chunk.length / 4) * 3 - padding;
}

function isBase64Of(length: number, slice: (from: number, to: number) => string): boolean {
  if (length === 0 || length % 4 !== 0) return false;
  for (let from = 0; from < length; from += CHUNK) {
    const to = Math.min(length, from + CHUNK);
    if (!isChunk(slice(from, to), to === length)) return false;
  }
  return true;
}

/** Whether a text from a place on is base64 with its padding, without line breaks. Source: RFC 4648, section 4. */
export const isBase64 = (text: string, start = 0): boolean =>
  isBase64Of(text.length - start, (from, to) => text.slice(start + from, start + to));

/** Whether bytes from `start` to `end` are. */
export const isBase64Within = (bytes: Buffer, start: number, end: number): boolean =>
  isBase64Of(end - start, (from, to) => bytes.toString('latin1', start + from, start + to));
