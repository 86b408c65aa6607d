import type { Warning } from '../../document.ts';
import { ParseError } from '../../parse-error.ts';
import { createCounter, type Reader } from '../../reader.ts';
import { decodeText } from '../../text/charset.ts';
import { decodeUtf16, u32At } from '../hwp/bytes.ts';
import { type CompoundFile, openCompoundFile } from '../hwp/compound.ts';
import type { InnerFile } from '../inner.ts';
import { MAX_ATTACHMENTS, letterDocument } from './letter.ts';

// Mails of Outlook. Sources: MS-OXMSG (names of streams), MS-OXPROPS (numbers of properties).

const propertyIds = {
  subject: '0037',
  sender: '0C1A',
  senderAddress: '5D01',
  displayTo: '0E04',
  displayCc: '0E03',
  body: '1000',
  html: '1013',
  rtf: '1009',
  attachedBytes: '3701',
  longName: '3707',
  shortName: '3704',
  displayName: '3001',
} as const;
const PROPERTY_HEAD_BYTES = 32;
const PROPERTY_BYTES = 16;
/** The head of a text in RTF, which is packed. Source: MS-OXRTFCP 2.1.3.1. */
const RTF_HEAD_BYTES = 16;
/** Times of a mail: that at which it was sent, and that at which it came. */
const TIME_TAGS: ReadonlySet<number> = new Set([0x00390040, 0x0e060040]);
/** Milliseconds from 1601, where the time stamps begin, to 1970. */
const EPOCH_OFFSET_MS = 11_644_473_600_000;

/** A text property of the storage at `folder`, as UTF-16 or as bytes of an older charset; empty where there is none. */
function textOf(file: CompoundFile, paths: ReadonlySet<string>, folder: string, id: string): string {
  const wide = `${folder}__substg1.0_${id}001F`;
  if (paths.has(wide)) {
    const bytes = file.stream(wide) ?? new Uint8Array();
    return decodeUtf16(bytes, 0, bytes.length).replaceAll('\0', '').trim();
  }
  const narrow = `${folder}__substg1.0_${id}001E`;
  return paths.has(narrow)
    ? decodeText(file.stream(narrow) ?? new Uint8Array())
        .text.replaceAll('\0', '')
        .trim()
    : '';
}

function sentAt(file: CompoundFile): string | undefined {
  const properties = file.stream('__properties_version1.0') ?? new Uint8Array();
  for (let at = PROPERTY_HEAD_BYTES; at + PROPERTY_BYTES <= properties.length; at += PROPERTY_BYTES) {
    if (!TIME_TAGS.has(u32At(properties, at))) continue;
    const ticks = u32At(properties, at + 12) * 2 ** 32 + u32At(properties, at + 8);
    const time = ticks / 10_000 - EPOCH_OFFSET_MS;
    if (time > 0 && time < 4_102_444_800_000) return new Date(time).toISOString();
  }
  return undefined;
}

/** MSG: a mail of Outlook with what is attached to it. Mails within it are not read. */
export const readMsg: Reader = async (bytes, options) => {
  const file = openCompoundFile(bytes, options.limits.entries);
  const paths: ReadonlySet<string> = new Set(file.paths);
  const text = (id: string, folder = '') => textOf(file, paths, folder, id);
  const folders = [
    ...new Set(file.paths.flatMap((path) => /^__attach_version1\.0_#[\dA-F]+\//i.exec(path)?.[0] ?? [])),
  ];
  // Folders may lie in the same sectors of the file, so that their bytes are more than its own.
  const bytesOf = createCounter(options.limits, 'inflatedBytes');
  const attachments = folders.slice(0, MAX_ATTACHMENTS).flatMap((folder, at): InnerFile[] => {
    const path = `${folder}__substg1.0_${propertyIds.attachedBytes}0102`;
    if (!paths.has(path)) return [];
    const { longName, shortName, displayName } = propertyIds;
    const name = text(longName, folder) || text(shortName, folder) || text(displayName, folder);
    const content = file.stream(path) ?? new Uint8Array();
    if (bytesOf(content.length) > options.limits.inflatedBytes)
      throw new ParseError('TOO_LARGE', 'What is attached to the mail is too large together.');
    return [{ name: name === '' ? `attachment-${at + 1}` : name, bytes: content }];
  });
  const page = `__substg1.0_${propertyIds.html}0102`;
  const body = text(propertyIds.body);
  const written = text(propertyIds.html);
  const html = paths.has(page)
    ? file.stream(page)
    : written === ''
      ? null
      : Buffer.from(`<meta charset="utf-8">${written}`);
  const rtf = file.stream(`__substg1.0_${propertyIds.rtf}0102`)?.length ?? 0;
  const [sender, address] = [text(propertyIds.sender), text(propertyIds.senderAddress)];
  const letter = {
    subject: text(propertyIds.subject),
    from: address === '' || address === sender ? sender : `${sender} <${address}>`.trim(),
    to: text(propertyIds.displayTo),
    cc: text(propertyIds.displayCc),
    date: sentAt(file),
    html: body === '' ? html : null,
    text: body,
    attachments,
    moreAttachments: Math.max(0, folders.length - MAX_ATTACHMENTS),
  };
  if (letter.subject === '' && body === '' && letter.html === null && attachments.length === 0 && rtf <= RTF_HEAD_BYTES)
    throw new ParseError('CORRUPTED', 'The mail is damaged: nothing of it can be read.');
  const document = await letterDocument('msg', letter, options);
  const warnings: Warning[] = [...document.warnings];
  if (file.paths.some((path) => path.includes(`__substg1.0_${propertyIds.attachedBytes}000D`)))
    warnings.push({ code: 'attachment_not_read', message: 'A mail that is attached was left out.' });
  if (body === '' && letter.html === null && rtf > RTF_HEAD_BYTES)
    warnings.push({ code: 'text_not_read', message: 'The text of the mail is there as RTF alone, which is not read.' });
  return { ...document, warnings };
};
