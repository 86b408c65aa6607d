import { isUtf8 } from 'node:buffer';
import { decodeText, isCharset } from '../../text/charset.ts';

// Heads of mails in UTF-8, whatever they are written in: the library reads no charset but those of the web, and of CP949 a part.

const ENCODED_WORD = String.raw`=\?([^?\s]+)\?([QqBb])\?([^?]*)\?=`;
const WORDS = new RegExp(`${ENCODED_WORD}(?:\\s+${ENCODED_WORD})*`, 'g');
const PERCENT = /%([\da-f]{2})/gi;

const isUnicode = (charset: string): boolean => /^utf-?8$/i.test(charset);

/** The bytes of an encoded word. Source: RFC 2047. */
const wordBytes = (encoding: string, text: string): Buffer =>
  encoding.toUpperCase() === 'B'
    ? Buffer.from(text, 'base64')
    : Buffer.from(
        text
          .replaceAll('_', ' ')
          .replaceAll(/=([\da-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
        'latin1',
      );

/** Encoded words side by side: a letter may begin in one and end in the next, so that those of a charset are read together. */
function wordsInUtf8(words: string): string {
  const found = [...words.matchAll(new RegExp(ENCODED_WORD, 'g'))].map(
    ([, charset = '', encoding = '', text = '']) => ({
      charset: charset.split('*')[0]?.toLowerCase() ?? '',
      bytes: wordBytes(encoding, text),
    }),
  );
  if (found.every(({ charset }) => isUnicode(charset)) || !found.every(({ charset }) => isCharset(charset)))
    return words;
  const parts: { readonly charset: string; readonly bytes: Buffer[] }[] = [];
  for (const { charset, bytes } of found) {
    const last = parts.at(-1);
    if (last?.charset === charset) last.bytes.push(bytes);
    else parts.push({ charset, bytes: [bytes] });
  }
  const text = parts.map(({ charset, bytes }) => decodeText(Buffer.concat(bytes), charset).text).join('');
  return `=?utf-8?B?${Buffer.from(text).toString('base64')}?=`;
}

/** Parameters in a charset, those in pieces too. Source: RFC 2231. */
function parametersInUtf8(head: string): string {
  const pieces = /;\s*([\w-]+)\*(?:(\d+)(\*?))?=("[^"]*"|[^;\s]*)/g;
  const found = [...head.matchAll(pieces)];
  const charsets = new Map<string, string>();
  for (const [, name = '', number = '0', , value = ''] of found) {
    const charset = /^"?([^'"]+)'/.exec(value)?.[1];
    if (Number(number) === 0 && charset !== undefined) charsets.set(name.toLowerCase(), charset);
  }
  const mended = new Map<string, string>();
  for (const [name, charset] of charsets) {
    if (isUnicode(charset) || !isCharset(charset)) continue;
    const own = found
      .filter(([, one = '']) => one.toLowerCase() === name)
      .toSorted((a, b) => Number(a[2] ?? 0) - Number(b[2] ?? 0));
    const raw = own.map(([, , number, star, value = '']) => {
      const bare = value
        .replaceAll('"', '')
        .replace(/^[^']*'[^']*'/, (lead) => (Number(number ?? 0) === 0 ? '' : lead));
      const isEncoded = number === undefined || star === '*';
      return isEncoded
        ? bare.replaceAll(PERCENT, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
        : bare;
    });
    mended.set(name, encodeURIComponent(decodeText(Buffer.from(raw.join(''), 'latin1'), charset).text));
  }
  if (mended.size === 0) return head;
  const written = new Set<string>();
  return head.replaceAll(pieces, (whole, name: string) => {
    const key = name.toLowerCase();
    const value = mended.get(key);
    if (value === undefined) return whole;
    if (written.has(key)) return '';
    written.add(key);
    return `; ${name}*=utf-8''${value.replaceAll("'", '%27')}`;
  });
}

/** One head, of the mail or of a part, with its lines as they are folded; `usual` is the charset of the mail's text. */
function headInUtf8(bytes: Uint8Array, usual: string | undefined): Uint8Array {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let text = buffer.toString('utf8');
  if (!isUtf8(buffer)) {
    // A few letters do not tell of themselves what they are.
    const told = [charsetIn(buffer) ?? usual, undefined, 'windows-1252'].map((charset) => decodeText(buffer, charset));
    text = told.find(({ damaged }) => !damaged)?.text ?? text;
  }
  // Words that go on in a line of their own without a blank before it, as some programs write them.
  text = text.replaceAll(/\r?\n(?==\?[^?\s]+\?[QqBb]\?[^?\r\n]*\?=)/g, '\r\n ');
  const mended = parametersInUtf8(text.replaceAll(WORDS, wordsInUtf8));
  return Buffer.from(mended);
}

/** The first charset with letters of its own that stands there. */
function charsetIn(bytes: Buffer): string | undefined {
  const found = bytes.toString('latin1').matchAll(/charset\s*=\s*"?([\w-]+)/gi);
  return [...found]
    .map(([, name = '']) => name)
    .find((name) => !/^(?:us-ascii|ascii|utf-?8)$/i.test(name) && isCharset(name));
}

/** Bytes of the mail that tell its charset. */
const SAMPLE_BYTES = 65_536;
/** Bytes of one head; longer ones are refused by the library. */
const MAX_HEAD_BYTES = 2 ** 20;
const NEEDS_WORK = /[\x80-\xff]|=\?|\*=/;

/** Where the first empty line begins; a head that is too long ends anywhere. */
function headEnd(all: Buffer, from: number): number {
  for (let at = all.indexOf(10, from); at >= 0 && at - from <= MAX_HEAD_BYTES; at = all.indexOf(10, at + 1)) {
    const next = all[at + 1] === 13 ? all[at + 2] : all[at + 1];
    if (next === 10) return all[at - 1] === 13 ? at - 1 : at;
  }
  return Math.min(all.length, from + MAX_HEAD_BYTES + 1);
}

/** A mail whose heads are in UTF-8. */
export function withHeadsInUtf8(bytes: Uint8Array): Uint8Array {
  const all = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const parts: Uint8Array[] = [];
  const usual = charsetIn(all.subarray(0, SAMPLE_BYTES));
  let kept = 0;
  const mend = (from: number): number => {
    const end = headEnd(all, from);
    if (end - from > MAX_HEAD_BYTES || !NEEDS_WORK.test(all.toString('latin1', from, end))) return end;
    parts.push(all.subarray(kept, from), headInUtf8(all.subarray(from, end), usual));
    kept = end;
    return end;
  };
  for (let at = all.indexOf('\n--', mend(0)); at >= 0; at = all.indexOf('\n--', at)) {
    const line = all.indexOf('\n', at + 1) + 1;
    if (line === 0) break;
    at = /^content-[\w-]+:/i.test(all.toString('latin1', line, line + 64)) ? mend(line) : line - 1;
  }
  return parts.length === 0 ? bytes : Buffer.concat([...parts, all.subarray(kept)]);
}
