import type { DocumentFormat } from './document.ts';
import { ParseError } from './parse-error.ts';
import { isCompoundFile, openCompoundFile } from './readers/hwp/compound.ts';
import { decodeText } from './text/charset.ts';

// What a file is, by what is in it. Names lie: a renamed file is read as what it is, and a name only tells the text formats apart.

const startsWith = (bytes: Uint8Array, ...magic: number[]) => magic.every((byte, at) => bytes[at] === byte);
const asBuffer = (bytes: Uint8Array) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
const asciiText = (bytes: Uint8Array, from: number, to: number) => asBuffer(bytes).toString('latin1', from, to);

const unsupported = (what: string, advice: string) => new ParseError('UNSUPPORTED', `${what} ${advice}`);

/** Names of streams as compound files write them. */
const utf16Name = (name: string) => Buffer.from(name, 'utf16le');
const compoundKinds = [
  // First of all: files of the others may be attached to a mail.
  { stream: utf16Name('__substg1.0_'), kind: 'msg' },
  { stream: utf16Name('EncryptedPackage'), kind: 'encrypted' },
  { stream: utf16Name('HwpSummaryInformation'), kind: 'hwp' },
  { stream: utf16Name('FileHeader'), kind: 'hwp' },
] as const;
/** By streams of their outermost storage: documents of the others may lie in any of them. */
const oldOfficeKinds: Readonly<Record<string, 'doc' | 'xls' | 'ppt'>> = {
  worddocument: 'doc',
  workbook: 'xls',
  // Excel 95.
  book: 'xls',
  'powerpoint document': 'ppt',
};
/** Far more than such files have. */
const MAX_STREAMS = 100_000;
const oldOfficeKind = (bytes: Uint8Array) =>
  isCompoundFile(bytes)
    ? openCompoundFile(bytes, MAX_STREAMS)
        .paths.map((path) => oldOfficeKinds[path.toLowerCase()])
        .find((kind) => kind !== undefined)
    : undefined;

function compoundFormat(bytes: Uint8Array): DocumentFormat {
  const all = asBuffer(bytes);
  const kind = compoundKinds.find(({ stream }) => all.includes(stream))?.kind ?? oldOfficeKind(bytes);
  switch (kind) {
    case 'hwp':
      return 'hwp';
    case 'encrypted':
      throw new ParseError('ENCRYPTED', 'The document is protected by a password. Save it without one and try again.');
    case 'xls':
      return 'xls';
    case 'doc':
      return 'doc';
    case 'ppt':
      return 'ppt';
    case 'msg':
      return 'msg';
    case undefined:
      throw unsupported('The file is a compound file of an unknown program.', 'Save it as PDF and try again.');
  }
}

/** As many names say what a package is. */
const MAX_NAMES = 5_000;

/** Names that stand behind each of these signatures, at `nameAt` from it, with their length at `lengthAt`. */
function namesBehind(all: Buffer, from: number, signature: string, lengthAt: number, nameAt: number): string[] {
  const names: string[] = [];
  const mark = Buffer.from(signature, 'latin1');
  for (let at = all.indexOf(mark, from); at >= 0 && names.length < MAX_NAMES; at = all.indexOf(mark, at + 4)) {
    if (at + nameAt > all.length) break;
    // Some programs write names as Windows does.
    const name = all.toString('utf8', at + nameAt, at + nameAt + all.readUInt16LE(at + lengthAt));
    names.push(name.replaceAll('\\', '/'));
  }
  return names;
}

/** Names in the directory at the end; where a package was cut, those before its parts. */
function packageNames(all: Buffer): string[] {
  const end = all.lastIndexOf(Buffer.from('PK\x05\x06', 'latin1'));
  const directory = end >= 0 && end + 20 <= all.length ? all.readUInt32LE(end + 16) : all.length;
  const names = directory < all.length ? namesBehind(all, directory, 'PK\x01\x02', 28, 46) : [];
  return names.length > 0 ? names : namesBehind(all, 0, 'PK\x03\x04', 26, 30);
}

const isEmptyPackage = (bytes: Uint8Array) => startsWith(bytes, 0x50, 0x4b, 5, 6);

/** By the word in their type. Source: OpenDocument 1.3, part 3, appendix C. */
const openDocuments: Readonly<Record<string, DocumentFormat>> = {
  text: 'odt',
  spreadsheet: 'ods',
  presentation: 'odp',
};

/** Folders of Office files, and what their main part is called where a program puts it elsewhere. */
const officeParts = [
  { format: 'docx', folder: 'word/', main: 'document.xml' },
  { format: 'xlsx', folder: 'xl/', main: 'workbook.xml' },
  { format: 'pptx', folder: 'ppt/', main: 'presentation.xml' },
] as const;
const officePart = (names: readonly string[]) =>
  officeParts.find(({ main }) => names.some((name) => name === main || name.endsWith(`/${main}`)));

/** By the names in a package, and the type that OpenDocument and HWPX write first of all. */
function packageFormat(bytes: Uint8Array): DocumentFormat {
  const first = asciiText(bytes, 30, 200);
  const names = packageNames(asBuffer(bytes));
  const has = (start: string) => names.some((name) => name.startsWith(start));
  if (/^mimetypeapplication\/(?:hwp\+zip|vnd\.hancom|owpml)/.test(first) || has('Contents/section0.xml')) return 'hwpx';
  const open = /^mimetypeapplication\/vnd\.oasis\.opendocument\.([a-z]+?)(?:-template|-master)?(?=PK|$)/.exec(
    first,
  )?.[1];
  const openFormat = openDocuments[open ?? ''];
  if (openFormat !== undefined) return openFormat;
  if (open !== undefined)
    throw unsupported('OpenDocument drawings and formulas are not read.', 'Save the document as PDF and try again.');
  if (first.startsWith('mimetypeapplication/epub')) return 'epub';
  const office =
    officeParts.find(({ folder }) => has(folder)) ??
    (has('[Content_Types].xml') && !has('visio/') ? officePart(names) : undefined);
  if (office !== undefined) return office.format;
  if (has('META-INF/container.xml') && names.some((name) => name.endsWith('.opf'))) return 'epub';
  // One whose type is packed: its reader finds out what it holds.
  if (has('META-INF/manifest.xml') && has('content.xml')) return 'odt';
  if (has('Contents/content.hpf') || has('Contents/header.xml')) return 'hwpx';
  // What stands first in Office files, and nothing behind it: the file was cut.
  if (
    names.every((name) => /^(?:\[Content_Types\]\.xml$|_rels\/|docProps\/|mimetype$)/.test(name)) &&
    !isEmptyPackage(bytes)
  )
    throw new ParseError('CORRUPTED', 'The file is damaged: its text is missing.');
  throw unsupported('The file is an archive (ZIP).', 'Unpack it and give the documents one by one.');
}

function imageFormat(bytes: Uint8Array): boolean {
  return (
    startsWith(bytes, 0x89, 0x50, 0x4e, 0x47) ||
    startsWith(bytes, 0xff, 0xd8, 0xff) ||
    startsWith(bytes, 0x49, 0x49, 0x2a, 0) ||
    startsWith(bytes, 0x4d, 0x4d, 0, 0x2a) ||
    // Texts begin with these letters too; the length of their header does not.
    (startsWith(bytes, 0x42, 0x4d) && startsWith(bytes.subarray(15), 0, 0, 0)) ||
    asciiText(bytes, 0, 4) === 'GIF8' ||
    (asciiText(bytes, 0, 4) === 'RIFF' && asciiText(bytes, 8, 12) === 'WEBP')
  );
}

/** Files that people try and that hold no document. */
const otherFormats: readonly {
  readonly is: (bytes: Uint8Array) => boolean;
  readonly what: string;
  readonly advice: string;
}[] = [
  {
    is: (bytes) => asciiText(bytes, 0, 17) === 'HWP Document File',
    what: 'HWP files older than version 3 are not read.',
    advice: 'Open the document in Hancom Office, save it as HWP 5 or HWPX and try again.',
  },
  {
    is: (bytes) =>
      startsWith(bytes, 0x1f, 0x8b) || asciiText(bytes, 0, 4) === 'Rar!' || startsWith(bytes, 0x37, 0x7a, 0xbc),
    what: 'The file is an archive.',
    advice: 'Unpack it and give the documents one by one.',
  },
  {
    is: (bytes) => startsWith(bytes, 0x4d, 0x5a) || startsWith(bytes, 0x7f, 0x45, 0x4c, 0x46),
    what: 'The file is a program and no document.',
    advice: 'Give a PDF, HWP, HWPX, Office, HTML, Markdown, CSV or text file.',
  },
  {
    is: (bytes) => /^ftyp(?:heic|heix|heim|hevc|mif1|msf1|avif|avis)/.test(asciiText(bytes, 4, 12)),
    what: 'HEIC and AVIF pictures are not read.',
    advice: 'Save the picture as JPEG or PNG and try again.',
  },
  {
    is: (bytes) => asciiText(bytes, 4, 8) === 'ftyp' || startsWith(bytes, 0x49, 0x44, 0x33),
    what: 'The file holds sound or moving pictures and no document.',
    advice: 'Use the endpoint for speech to text.',
  },
];

const HEAD_BYTES = 8_192;
/** Control characters that no text has. */
const isControl = (code: number) => code < 32 && code !== 9 && code !== 10 && code !== 12 && code !== 13 && code !== 27;

/** What follows comments and the declaration of XML. */
function withoutProlog(head: string): string {
  let rest = head;
  for (;;) {
    const end = rest.startsWith('<!--') ? '-->' : rest.startsWith('<?xml') ? '>' : null;
    const at = end === null ? -1 : rest.indexOf(end);
    if (end === null || at === -1) return rest;
    rest = rest.slice(at + end.length).trimStart();
  }
}

/** Fields of the head of a mail; two of them say that a text is one. Source: RFC 5322. */
const mailField =
  /^(?:return-path|received|date|from|to|cc|subject|message-id|mime-version|content-type|delivered-to|reply-to|dkim-signature|x-[\w-]+):/gim;

/** Names of mails and of pages that are saved as mails: few fields say as much then. */
const mailEndings: ReadonlySet<string> = new Set(['eml', 'mht', 'mhtml', 'mbox']);

/** True for a text that begins with the head of a mail. */
function isMail(text: string): boolean {
  const head = text.slice(0, text.search(/\r?\n\r?\n/) >>> 0).slice(0, HEAD_BYTES);
  if (!/^(?:[\w-]+:|From )/.test(head)) return false;
  // The first mail of a mailbox.
  if (/^From [^\r\n]{1,500}\d{4}[^\r\n]{0,40}\r?\n[\w-]{1,76}:/.test(head)) return true;
  const fields = new Set([...head.matchAll(mailField)].map(([field]) => field.toLowerCase()));
  return (
    fields.size >= 3 &&
    (fields.has('from:') || fields.has('received:')) &&
    (fields.has('date:') || fields.has('subject:'))
  );
}

function textFormat(bytes: Uint8Array, name: string | undefined): DocumentFormat {
  const { text, charset } = decodeText(bytes.subarray(0, HEAD_BYTES));
  let controls = 0;
  for (let at = 0; at < text.length; at++) if (isControl(text.charCodeAt(at)) || text[at] === '\uFFFD') controls++;
  // What is no Unicode may be anything: texts of older charsets have no such signs.
  if (controls > text.length * (charset.startsWith('utf') ? 0.1 : 0.02) + 2)
    throw unsupported(
      'The kind of file is not known.',
      'Give a PDF, HWP, HWPX, DOCX, XLSX, PPTX, HTML, Markdown, CSV or text file.',
    );
  const ending = /\.([a-z0-9]+)$/i.exec(name ?? '')?.[1]?.toLowerCase();
  if (isMail(text) || (mailEndings.has(ending ?? '') && /^\s*(?:[\w-]+:|From )/.test(text))) return 'eml';
  const head = text.trimStart().slice(0, 2_000).toLowerCase();
  if (/^<(?:!doctype html|html[\s>])/.test(withoutProlog(head))) return 'html';
  if (ending === 'html' || ending === 'htm' || ending === 'xhtml') return 'html';
  if (ending === 'csv' || ending === 'tsv') return 'csv';
  if (ending === 'md' || ending === 'markdown') return 'markdown';
  if (ending === undefined && (head.match(/<(?:p|div|table|h[1-6]|body|head|ul|br)[\s>/]/g)?.length ?? 0) >= 3)
    return 'html';
  return 'text';
}

/**
 * The format of a file by its content; `name` tells CSV, Markdown and plain text apart. Throws ParseError: `UNSUPPORTED` with advice,
 * `ENCRYPTED`, `CORRUPTED` for an empty file.
 */
export function sniffFormat(bytes: Uint8Array, name?: string): DocumentFormat {
  if (bytes.length === 0) throw new ParseError('CORRUPTED', 'The file is empty.');
  // Some programs write a few bytes before it.
  if (asciiText(bytes, 0, 1_024).includes('%PDF-')) return 'pdf';
  if (startsWith(bytes, 0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1)) return compoundFormat(bytes);
  if (startsWith(bytes, 0x50, 0x4b, 3, 4) || startsWith(bytes, 0x50, 0x4b, 5, 6)) return packageFormat(bytes);
  if (asciiText(bytes, 0, 23) === 'HWP Document File V3.00') return 'hwp';
  if (asciiText(bytes, 0, 5) === '{\\rtf') return 'rtf';
  for (const { is, what, advice } of otherFormats) if (is(bytes)) throw unsupported(what, advice);
  if (imageFormat(bytes)) return 'image';
  return textFormat(bytes, name);
}
