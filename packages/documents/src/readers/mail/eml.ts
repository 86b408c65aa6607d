import PostalMime, { type Address } from 'postal-mime';
import { ParseError } from '../../parse-error.ts';
import type { Reader } from '../../reader.ts';
import { type Letter, MAX_ATTACHMENTS, letterDocument } from './letter.ts';

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

/** EML (RFC 5322, MIME): a mail with what is attached to it. */
export const readEml: Reader = async (bytes, options) => {
  const mail = await PostalMime.parse(bytes, {
    attachmentEncoding: 'arraybuffer',
    maxNestingDepth: MAX_NESTING,
    maxHeadersSize: MAX_HEADER_BYTES,
  }).catch((cause: unknown) => {
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
    attachments: attached.slice(0, MAX_ATTACHMENTS).map(({ filename, mimeType, content }, at) => ({
      name: filename ?? (mimeType === 'message/rfc822' ? `message-${at + 1}.eml` : `attachment-${at + 1}`),
      bytes: typeof content === 'string' ? Buffer.from(content) : new Uint8Array(content),
    })),
    moreAttachments: Math.max(0, attached.length - MAX_ATTACHMENTS),
  };
  return letterDocument('eml', letter, options);
};
