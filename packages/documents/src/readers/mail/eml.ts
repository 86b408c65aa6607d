import { isUtf8 } from 'node:buffer';
import type { Address } from 'postal-mime';
import { ParseError } from '../../parse-error.ts';
import type { Reader } from '../../reader.ts';
import { decodeText } from '../../text/charset.ts';
import type { InnerFile } from '../inner.ts';
import { type Letter, MAX_ATTACHMENTS, letterDocument } from './letter.ts';
import { withHeadsInUtf8 } from './mime-headers.ts';
import { MailParser } from './mime.ts';

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

/** A mail that was saved as UTF-16 in the bytes that it was sent in. */
function inBytes(bytes: Uint8Array): Uint8Array {
  const start = bytes.subarray(0, 4);
  if (!start.includes(0) && isUtf8(start)) return bytes;
  const { text, charset } = decodeText(bytes);
  return start.includes(0) || charset.startsWith('utf-16') ? Buffer.from(text) : bytes;
}

/** EML (RFC 5322, MIME): a mail with what is attached to it. */
export const readEml: Reader = async (bytes, options) => {
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
    ({ contentId, related, mimeType }) => !(related && contentId !== undefined && mimeType.startsWith('image/')),
  );
  const letter: Letter = {
    subject: (mail.subject ?? '').trim(),
    from: mail.from === undefined ? '' : mailboxText(mail.from),
    to: mailboxesText(mail.to),
    cc: mailboxesText(mail.cc),
    date: dateOf(mail.date),
    html: mail.html === undefined || mail.html.trim() === '' ? null : Buffer.from(`<meta charset="utf-8">${mail.html}`),
    text: mail.text ?? '',
    attachments: attached.slice(0, MAX_ATTACHMENTS).map(({ filename, mimeType, content }, at): InnerFile => {
      const own = typeof content === 'string' ? Buffer.from(content) : new Uint8Array(content);
      if (mimeType !== 'message/rfc822') return { name: filename ?? `attachment-${at + 1}`, bytes: own };
      return { name: filename ?? `message-${at + 1}.eml`, read: async (inner) => readEml(own, inner) };
    }),
    moreAttachments: Math.max(0, attached.length - MAX_ATTACHMENTS),
  };
  return letterDocument('eml', letter, options);
};
