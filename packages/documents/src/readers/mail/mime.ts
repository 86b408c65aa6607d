import { isUtf8 } from 'node:buffer';
import PostalMime from 'postal-mime';
import { decodeText, isCharset } from '../../text/charset.ts';
import { givenCharset } from '../html/index.ts';

/** A part of a mail as the library keeps it. */
interface MimePart {
  content: ArrayBuffer | null;
  readonly contentType: {
    readonly parsed: { readonly value: string; readonly params: Record<string, string> };
    readonly multipart: string | false;
  };
  readonly contentTransferEncoding: { readonly encoding: string };
  readonly contentDisposition: { readonly parsed: { value: string; readonly params: Record<string, string> } };
}

/** What the library does with each part of a mail that it has taken apart. */
interface Collector {
  collectNode(part: MimePart, alternative: unknown, related: boolean): Promise<void>;
}
const collect = (PostalMime.prototype as unknown as Collector).collectNode;

/** Labels that say nothing of the text. */
const meaningless = /^(?:us-ascii|ascii|unknown-8bit|x-unknown|unknown|binary|default)$/i;
const hasLetters = (bytes: Uint8Array): boolean => bytes.some((byte) => byte > 0x7f);

/** Text of a part: in the charset that it says, where that is so. */
function textOf(bytes: Uint8Array, told: string | undefined): string | null {
  const charset = told === undefined || meaningless.test(told) ? undefined : told;
  // Whole letters of UTF-8 come about in no other charset.
  if (hasLetters(bytes) && isUtf8(bytes) && !/^utf-?(?:16|32|7)/i.test(charset ?? ''))
    return decodeText(bytes, 'utf-8').text;
  if (charset !== undefined && !isCharset(charset)) return null;
  const first = decodeText(bytes, charset);
  if (!first.damaged || charset === undefined) return first.text;
  const guessed = decodeText(bytes);
  return guessed.damaged ? first.text : guessed.text;
}

const bufferOf = ({ buffer, byteOffset, byteLength }: Buffer): ArrayBuffer =>
  (buffer as ArrayBuffer).slice(byteOffset, byteOffset + byteLength);

/** Puts the text of a part into UTF-8: the library knows the charsets of the web alone, and of CP949 a part. */
function putInUtf8(part: MimePart): void {
  const { value, params } = part.contentType.parsed;
  if (part.content === null || part.contentType.multipart !== false) return;
  const isAttached = part.contentDisposition.parsed.value === 'attachment';
  if (!/^text\/(?:plain|html|calendar)$/.test(value) || (isAttached && value === 'text/html')) return;
  const bytes = new Uint8Array(part.content);
  const charset = params['charset']?.trim() || (value === 'text/html' ? givenCharset(bytes) : undefined);
  const text = textOf(bytes, charset);
  if (text === null) return;
  part.content = bufferOf(Buffer.from(text));
  params['charset'] = 'utf-8';
}

/** What older programs pack as lines of letters between `begin` and `end`. */
function unpackLines(part: MimePart): void {
  if (part.content === null || !/^(?:x-)?uu(?:e|encode)$/.test(part.contentTransferEncoding.encoding)) return;
  const lines = Buffer.from(part.content).toString('latin1').split(/\r?\n/);
  const from = lines.findIndex((line) => /^begin(?:-base64)? \d+ /.test(line));
  if (from === -1) return;
  const end = lines.findIndex((line, at) => at > from && line.trim() === 'end');
  const value = (line: string, at: number): number => ((line.charCodeAt(at) || 0x20) - 0x20) & 0x3f;
  const packed = lines.slice(from + 1, end === -1 ? undefined : end).map((line) => {
    const bytes = Buffer.alloc(value(line, 0));
    for (let to = 0; to < bytes.length; to++) {
      const [at, step] = [1 + Math.floor(to / 3) * 4, to % 3];
      bytes[to] = (value(line, at + step) << (2 + step * 2)) | (value(line, at + step + 1) >> (4 - step * 2));
    }
    return bytes;
  });
  part.content = bufferOf(Buffer.concat(packed));
}

/** A text with a name of its own is a file, whatever it says: beside a page it would be taken for the same in another form. */
function tellFiles({ contentType, contentDisposition }: MimePart): void {
  const { value, params } = contentDisposition.parsed;
  const isText = contentType.parsed.value.startsWith('text/');
  if (isText && (params['filename'] || (value === 'inline' && contentType.parsed.params['name'])))
    contentDisposition.parsed.value = 'attachment';
}

/** The library, with the charsets of this package. */
export class MailParser extends PostalMime {
  async collectNode(part: MimePart, alternative: unknown, related: boolean): Promise<void> {
    unpackLines(part);
    tellFiles(part);
    putInUtf8(part);
    await collect.call(this, part, alternative, related);
  }
}
