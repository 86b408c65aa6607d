import { writeCompound } from './hwp-writer/compound.ts';
import { type Parts, writeZip } from './zip.ts';

/** A mail of Outlook. */
export interface MsgForm {
  readonly subject?: string;
  readonly from?: string;
  readonly to?: string;
  readonly body?: string;
  readonly html?: string;
  /** As it is packed. */
  readonly rtf?: Uint8Array;
  readonly files?: Readonly<Record<string, Uint8Array>>;
  /** Mails that are attached, as Outlook keeps them. */
  readonly mails?: readonly MsgForm[];
  /** Further streams by their paths. */
  readonly streams?: Readonly<Record<string, Uint8Array>>;
  /** Values of properties with a number by their tags. */
  readonly numbers?: Readonly<Record<number, number>>;
}

const wide = (text: string): Buffer => Buffer.from(text, 'utf16le');

/** The table of the properties with a number, behind a head of so many bytes. */
export function propertyTable(head: number, numbers: Readonly<Record<number, number>> = {}): Buffer {
  const rows = Object.entries(numbers).map(([tag, value]) => {
    const row = Buffer.alloc(16);
    row.writeUInt32LE(Number(tag), 0);
    row.writeUInt32LE(value, 8);
    return row;
  });
  return Buffer.concat([Buffer.alloc(head), ...rows]);
}

function msgStreams(form: MsgForm, head: number): Record<string, Uint8Array> {
  const { subject, from, to, body, html, rtf, files = {}, mails = [], streams = {}, numbers } = form;
  const own: Record<string, Uint8Array> = { '__properties_version1.0': propertyTable(head, numbers) };
  const put = (id: string, text: string | undefined) => {
    if (text !== undefined) own[`__substg1.0_${id}001F`] = wide(text);
  };
  put('0037', subject);
  put('0C1A', from);
  put('0E04', to);
  put('1000', body);
  if (html !== undefined) own['__substg1.0_10130102'] = Buffer.from(html);
  if (rtf !== undefined) own['__substg1.0_10090102'] = rtf;
  const folderOf = (at: number) => `__attach_version1.0_#${String(at).padStart(8, '0')}`;
  const names = Object.entries(files);
  for (const [at, [name, bytes]] of names.entries()) {
    own[`${folderOf(at)}/__substg1.0_3707001F`] = wide(name);
    own[`${folderOf(at)}/__substg1.0_37010102`] = bytes;
  }
  for (const [at, inner] of mails.entries()) {
    const folder = folderOf(names.length + at);
    own[`${folder}/__substg1.0_3001001F`] = wide(inner.subject ?? '');
    for (const [path, bytes] of Object.entries(msgStreams(inner, 24)))
      own[`${folder}/__substg1.0_3701000D/${path}`] = bytes;
  }
  return { ...own, ...streams };
}

/** Writes a mail as Outlook does: a compound file with a stream for each property. */
export const writeMsg = (form: MsgForm): Buffer => writeCompound(msgStreams(form, 32));

/** Parts of a book of these chapters, each the inner HTML of its body; `locked` says that they are encrypted. */
export function epubParts(chapters: Readonly<Record<string, string>>, { locked = false } = {}): Parts {
  const names = Object.keys(chapters);
  const items = names
    .map((name, at) => `<item id="c${at}" href="${name}" media-type="application/xhtml+xml"/>`)
    .join('');
  const spine = names.map((_, at) => `<itemref idref="c${at}"/>`).join('');
  const lock = `<encryption xmlns="urn:oasis:names:tc:opendocument:xmlns:container" xmlns:enc="http://www.w3.org/2001/04/xmlenc#"><enc:EncryptedData><enc:CipherData><enc:CipherReference URI="OEBPS/${names[0] ?? ''}"/></enc:CipherData></enc:EncryptedData></encryption>`;
  return [
    ['mimetype', 'application/epub+zip', { stored: true }],
    [
      'META-INF/container.xml',
      '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles><rootfile full-path="OEBPS/book.opf"/></rootfiles></container>',
    ],
    ...(locked ? [['META-INF/encryption.xml', lock] as const] : []),
    [
      'OEBPS/book.opf',
      `<package xmlns="http://www.idpf.org/2007/opf" xmlns:dc="http://purl.org/dc/elements/1.1/"><metadata><dc:title>책</dc:title><dc:creator>지은이</dc:creator></metadata><manifest>${items}</manifest><spine>${spine}</spine></package>`,
    ],
    ...Object.entries(chapters).map(
      ([name, body]) =>
        [
          `OEBPS/${name}`,
          `<html xmlns="http://www.w3.org/1999/xhtml"><head><title>x</title></head><body>${body}</body></html>`,
        ] as const,
    ),
  ];
}

/** Writes a book. */
export const writeEpub = (...form: Parameters<typeof epubParts>): Buffer => writeZip(epubParts(...form));
