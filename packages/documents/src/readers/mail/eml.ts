import { isUtf8 } from 'node:buffer';
import type { Address, Attachment } from 'postal-mime';
import type { Block, Document, Warning } from '../../document.ts';
import { append } from '../../package/append.ts';
import { ParseError } from '../../parse-error.ts';
import { type Reader, type ReadOptions, beginUse } from '../../reader.ts';
import { decodeText } from '../../text/charset.ts';
import { type InnerFile, innerBlocks } from '../inner.ts';
import { utf8Page } from '../html/index.ts';
import { type Letter, MAX_ATTACHMENTS, letterDocument } from './letter.ts';
import { withHeadsInUtf8 } from './mime-headers.ts';
import { mailsOf } from './mailbox.ts';
import { MailParser } from './mime.ts';
import { type TnefMail, readTnef } from './tnef.ts';

/** Parts within each other, and bytes of the head; more are refused by the library. */
const MAX_NESTING = 32;
const MAX_HEADER_BYTES = 2 ** 20;

const mailboxText = ({ name, address, group }: Address): string => {
  if (group !== undefined) return group.map(mailboxText).join(', ');
  return name === '' ? address : address === '' ? name : `${name} <${address}>`;
};
const mailboxesText = (all: readonly Address[] | undefined): string => (all ?? []).map(mailboxText).join(', ');

const dateOf = (text: string | undefined): string | undefined => {
  const time = Date.parse(text ?? '');
  return Number.isNaN(time) ? undefined : new Date(time).toISOString();
};

const bytesOf = ({ content }: Attachment): Uint8Array =>
  typeof content === 'string' ? Buffer.from(content) : new Uint8Array(content);

/** What Exchange packs into one file; null for any other. */
const packedIn = (file: Attachment, most: number): TnefMail | null =>
  file.mimeType === 'application/ms-tnef' || /^winmail\.dat$/i.test(file.filename ?? '')
    ? readTnef(bytesOf(file), most)
    : null;

function innerFile(file: Attachment): InnerFile {
  const [name, own] = [file.filename ?? '', bytesOf(file)];
  return file.mimeType === 'message/rfc822'
    ? { name, read: async (inner) => readMail(own, inner) }
    : { name, bytes: own };
}

const unnamed = (file: InnerFile, at: number): string =>
  'read' in file ? `message-${at + 1}.eml` : `attachment-${at + 1}`;

/** A mail that was saved as UTF-16 in the bytes that it was sent in. */
function inBytes(bytes: Uint8Array): Uint8Array {
  const start = bytes.subarray(0, 4);
  if (!start.includes(0) && isUtf8(start)) return bytes;
  const { text, charset } = decodeText(bytes);
  return start.includes(0) || charset.startsWith('utf-16') ? Buffer.from(text) : bytes;
}

/** The mails of a mailbox, one after the other. What can't be read of one is a warning. */
async function readMailbox(mails: readonly Uint8Array[], options: ReadOptions): Promise<Document> {
  const shared = options.limits.shared ?? beginUse();
  const blocks: Block[] = [];
  const warnings: Warning[] = [];
  for (const [at, mail] of mails.entries()) {
    const name = `message-${at + 1}`;
    const own = { ...options, limits: { ...options.limits, shared: beginUse(shared) }, onPage: () => undefined };
    try {
      const document = await readMail(mail, own);
      append(blocks, innerBlocks(document, `${name}-`, 0));
      for (const { code, message } of document.warnings) warnings.push({ code, message: `${name}: ${message}` });
    } catch (error) {
      if (!(error instanceof ParseError) || error.code === 'TOO_LARGE') throw error;
      warnings.push({ code: 'part_damaged', message: `${name} was not read: ${error.message}` });
    }
    options.onPage(at + 1, mails.length);
  }
  return { format: 'eml', meta: {}, pages: [], blocks, warnings };
}

/** EML (RFC 5322, MIME): a mail with what is attached to it; or all mails of a mailbox (mbox, RFC 4155). */
export const readEml: Reader = (bytes, options) => {
  const mails = mailsOf(bytes);
  return mails.length > 1 ? readMailbox(mails, options) : readMail(mails[0] ?? bytes, options);
};

async function readMail(bytes: Uint8Array, options: ReadOptions): Promise<Document> {
  const parser = new MailParser({
    attachmentEncoding: 'arraybuffer',
    maxNestingDepth: MAX_NESTING,
    maxHeadersSize: MAX_HEADER_BYTES,
    // Mails within the mail are read as files within it.
    forceRfc822Attachments: true,
  });
  const mail = await parser.parse(withHeadsInUtf8(inBytes(bytes))).catch((cause: unknown) => {
    throw new ParseError('CORRUPTED', 'The mail is damaged and cannot be read.', { cause });
  });
  // Pictures within the text are a part of its looks.
  const attached = mail.attachments.filter(
    ({ contentId, filename, related, mimeType }) =>
      !(related && (contentId !== undefined || filename == null) && mimeType.startsWith('image/')),
  );
  const opened = attached.map((file) => ({ file, packed: packedIn(file, options.limits.inflatedBytes) }));
  // The mail says the same as the text that is packed with its files, where it says anything.
  const isBare = `${mail.html ?? ''}${mail.text ?? ''}`.trim() === '';
  const first = isBare ? opened.find(({ packed }) => packed !== null)?.packed : undefined;
  const html = mail.html?.trim() ? mail.html : (first?.html ?? '');
  const files = opened.flatMap(({ file, packed }): readonly InnerFile[] => packed?.files ?? [innerFile(file)]);
  const letter: Letter = {
    subject: (mail.subject ?? '').trim(),
    from: mail.from === undefined ? '' : mailboxText(mail.from),
    to: mailboxesText(mail.to),
    cc: mailboxesText(mail.cc),
    date: dateOf(mail.date),
    html: html === '' ? null : utf8Page(html),
    text: first?.text ?? mail.text ?? '',
    attachments: files.slice(0, MAX_ATTACHMENTS).map((file, at) => ({ ...file, name: file.name || unnamed(file, at) })),
    moreAttachments: Math.max(0, files.length - MAX_ATTACHMENTS),
  };
  return letterDocument('eml', letter, options);
}
