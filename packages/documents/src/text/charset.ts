import { isUtf8 } from 'node:buffer';
import { analyse } from 'chardet';
import iconv from 'iconv-lite';

/** Text of a file, and the charset that it was read in. */
export interface Decoded {
  readonly text: string;
  /** As the IANA calls it, in lower case. */
  readonly charset: string;
  /** Some bytes meant nothing in it. */
  readonly damaged: boolean;
}

const marks: readonly { readonly bytes: readonly number[]; readonly charset: string }[] = [
  { bytes: [0xff, 0xfe, 0, 0], charset: 'utf-32le' },
  { bytes: [0, 0, 0xfe, 0xff], charset: 'utf-32be' },
  { bytes: [0xef, 0xbb, 0xbf], charset: 'utf-8' },
  { bytes: [0xff, 0xfe], charset: 'utf-16le' },
  { bytes: [0xfe, 0xff], charset: 'utf-16be' },
];

/** Korean in seven bits: letters between two signs that shift to them and back. Source: RFC 1557. */
const SHIFTED_KOREAN = 'iso-2022-kr';

/** True for a charset that texts are read in. */
export const isCharset = (name: string): boolean => name.toLowerCase() === SHIFTED_KOREAN || iconv.encodingExists(name);

/** Bytes of CP949 of what is shifted. */
function unshifted(bytes: Uint8Array): Uint8Array {
  const out = new Uint8Array(bytes.length);
  let [length, shifted] = [0, false];
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0;
    if (byte === 0x1b && bytes[at + 1] === 0x24 && bytes[at + 2] === 0x29) at += 3;
    else if (byte === 0x0e || byte === 0x0f) shifted = byte === 0x0e;
    else {
      if (byte === 0x0a) shifted = false;
      out[length++] = shifted && byte > 0x20 ? byte | 0x80 : byte;
    }
  }
  return out.subarray(0, length);
}

/** So much of a file says what it is written in. */
const SAMPLE_BYTES = 64 * 1024;
/** Names under which the guesser speaks of charsets that Koreans write as CP949. */
const korean = new Set(['EUC-KR', 'ISO-2022-KR', 'Big5', 'GB18030', 'EUC-JP', 'Shift_JIS']);

/** UTF-16 without a mark shows by zero bytes that stand on one side of each pair. */
function bareUtf16(bytes: Uint8Array): string | null {
  const length = Math.min(bytes.length, SAMPLE_BYTES) & ~1;
  if (length < 4) return null;
  const zeros = [0, 0];
  for (let at = 0; at < length; at++) if (bytes[at] === 0) zeros[at & 1] = (zeros[at & 1] ?? 0) + 1;
  const [even = 0, odd = 0] = zeros;
  const pairs = length / 2;
  if (odd > pairs * 0.2 && even < pairs * 0.02) return 'utf-16le';
  if (even > pairs * 0.2 && odd < pairs * 0.02) return 'utf-16be';
  return null;
}

/** Hangul of CP949 are two bytes, the first of them 0x81 to 0xC8: how much of what is not ASCII is of that form. */
function looksLikeCp949(bytes: Uint8Array): boolean {
  let pairs = 0;
  let other = 0;
  const length = Math.min(bytes.length, SAMPLE_BYTES);
  for (let at = 0; at < length; at++) {
    const lead = bytes[at] ?? 0;
    if (lead < 0x80) continue;
    const trail = bytes[at + 1] ?? 0;
    const hangul = lead >= 0x81 && lead <= 0xc8 && trail >= 0x41 && trail !== 0x7f && trail !== 0xff;
    const sign = lead >= 0xa1 && lead <= 0xac && trail >= 0xa1;
    if (hangul || sign) pairs++;
    else other++;
    at++;
  }
  return pairs > 0 && other <= pairs * 0.02;
}

function charsetOf(bytes: Uint8Array): string {
  if (isUtf8(bytes)) return 'utf-8';
  const utf16 = bareUtf16(bytes);
  if (utf16 !== null) return utf16;
  const [best] = analyse(bytes.subarray(0, SAMPLE_BYTES));
  // A truncated or slightly damaged UTF-8 is still that.
  if (best?.name === 'UTF-8') return 'utf-8';
  if (
    looksLikeCp949(bytes) &&
    (best === undefined || korean.has(best.name) || /^(?:ISO-8859|windows|KOI8|IBM|mac)/.test(best.name))
  )
    return 'cp949';
  const name = best?.name.toLowerCase();
  return name !== undefined && isCharset(name) ? name : 'windows-1252';
}

/**
 * Reads text whatever it is written in: by its mark, as UTF-8, as UTF-16 without a mark, as CP949 (Node's own EUC-KR lacks most
 * Hangul), else by guess. Line ends become `\n`; NUL characters are dropped.
 */
export function decodeText(bytes: Uint8Array, given?: string): Decoded {
  const mark = marks.find((one) => one.bytes.every((byte, at) => bytes[at] === byte));
  const known = given !== undefined && isCharset(given) ? given.toLowerCase() : null;
  const charset = mark?.charset ?? known ?? charsetOf(bytes);
  const body = mark === undefined ? bytes : bytes.subarray(mark.bytes.length);
  // What web pages call EUC-KR is CP949.
  const encoding = /^(?:euc-?kr|ks_c_5601-1987|ksc5601|iso-2022-kr)$/.test(charset) ? 'cp949' : charset;
  const plain = charset === SHIFTED_KOREAN ? unshifted(body) : body;
  const text = iconv.decode(Buffer.from(plain.buffer, plain.byteOffset, plain.byteLength), encoding, {
    stripBOM: true,
  });
  return {
    text: text.replaceAll('\0', '').replaceAll(/\r\n?/g, '\n'),
    charset: encoding,
    // The decoder drops a letter that the end of the file cuts.
    damaged: text.includes('\uFFFD') || (encoding === 'utf-8' && !isUtf8(body)),
  };
}
