import { type Document, type Warning } from '../../document.ts';
import { ParseError } from '../../parse-error.ts';
import { createCounter, type Reader, type ReadOptions } from '../../reader.ts';
import { decodeText } from '../../text/charset.ts';
import { type CompoundFile, openCompoundFile } from '../hwp/compound.ts';
import { givenCharset, utf8Page } from '../html/index.ts';
import type { InnerFile } from '../inner.ts';
import { type Letter, MAX_ATTACHMENTS, letterDocument } from './letter.ts';
import { type Properties, readProperties } from './msg-properties.ts';
import { outlookItem } from './outlook-items.ts';
import { unpackRtf } from './packed-rtf.ts';
import { readRtf } from '../rtf/rtf.ts';

// Mails of Outlook. Sources: MS-OXMSG (names of streams), MS-OXPROPS (numbers of properties).

const propertyIds = {
  subject: '0037',
  sender: '0C1A',
  senderAddress: '5D01',
  senderOtherAddress: '0C1F',
  onBehalfOf: '0042',
  displayTo: '0E04',
  displayCc: '0E03',
  sent: '0039',
  received: '0E06',
  body: '1000',
  html: '1013',
  rtf: '1009',
  pageCharset: '3FDE',
  attachedBytes: '3701',
  longName: '3707',
  shortName: '3704',
  displayName: '3001',
  contentId: '3712',
  mimeType: '370E',
  recipientKind: '0C15',
  recipientAddress: '39FE',
  recipientOtherAddress: '3003',
} as const;
/** Bytes before the properties of a mail, of a mail within one, and of what is attached. Source: MS-OXMSG 2.4.1. */
const HEAD_BYTES = { mail: 32, inner: 24, attachment: 8 } as const;
/** RTF without any text. */
const RTF_HEAD_BYTES = 16;
const ATTACHMENT = /^__attach_version1\.0_#[\dA-F]+\//i;
const RECIPIENT = /^__recip_version1\.0_#[\dA-F]+\//i;
/** Recipients of one mail that are read. */
const MAX_RECIPIENTS = 2_000;
/** What is attached to one mail and looked at, whether its page shows it. */
const MAX_PICTURES = 1_000;
const INNER_MAIL = '__substg1.0_3701000D/';

/** The file, and what its mails have had of the limits. */
interface Opened {
  readonly file: CompoundFile;
  readonly paths: ReadonlySet<string>;
  /** Throws ParseError `TOO_LARGE`. */
  readonly count: (bytes: Uint8Array) => Uint8Array;
  readonly most: number;
}

const mailbox = (name: string, address: string): string =>
  address === '' || address === name ? name : `${name} <${address}>`.trim();

function senderOf({ text }: Properties): string {
  const name = text(propertyIds.sender) || text(propertyIds.onBehalfOf);
  const other = text(propertyIds.senderOtherAddress);
  // Within an organisation it is a name of its directory.
  return mailbox(name, text(propertyIds.senderAddress) || (other.includes('@') ? other : ''));
}

/** Whom a mail went to, with their addresses; as it shows them where it does not say more. Source: MS-OXMSG 2.2.1. */
function recipientsOf({ file, paths }: Opened, folder: string, properties: Properties) {
  const own = file.paths.flatMap((path) =>
    path.startsWith(folder) ? (RECIPIENT.exec(path.slice(folder.length))?.[0] ?? []) : [],
  );
  const found: Record<number, string[]> = {};
  for (const name of [...new Set(own)].slice(0, MAX_RECIPIENTS)) {
    const { text, number } = readProperties(file, paths, `${folder}${name}`, {
      head: HEAD_BYTES.attachment,
      outer: properties,
    });
    const other = text(propertyIds.recipientOtherAddress);
    const address = text(propertyIds.recipientAddress) || (other.includes('@') ? other : '');
    const shown = mailbox(text(propertyIds.displayName), address);
    if (shown !== '') (found[(number(propertyIds.recipientKind) ?? 0) & 0xf] ??= []).push(shown);
  }
  return {
    to: found[1]?.join(', ') ?? properties.text(propertyIds.displayTo),
    cc: found[2]?.join(', ') ?? properties.text(propertyIds.displayCc),
  };
}

/** The page of a mail in the charset that it says, or that the mail says. */
function pageOf(properties: Properties): Uint8Array | null {
  const page = properties.bytes(propertyIds.html);
  if (page === null) {
    const written = properties.text(propertyIds.html);
    return written === '' ? null : utf8Page(written);
  }
  const own = givenCharset(page);
  const first = decodeText(page, own ?? properties.charset(propertyIds.pageCharset));
  const { text } = first.damaged && own !== undefined ? bestOf(first, page, properties) : first;
  return utf8Page(text);
}

/** Pages are saved in another charset than they say. */
function bestOf(first: ReturnType<typeof decodeText>, page: Uint8Array, { charset }: Properties) {
  const other = decodeText(page, charset(propertyIds.pageCharset));
  return other.damaged ? first : other;
}

/** The text of a mail: its page, also where that lies within RTF, else its plain text, else its RTF. */
function bodyOf(
  properties: Properties,
  { count, most }: Opened,
): Pick<Letter, 'html' | 'text'> & { warnings: Warning[] } {
  const text = properties.text(propertyIds.body);
  const html = pageOf(properties);
  if (html !== null) return { html, text, warnings: [] };
  const packed = properties.bytes(propertyIds.rtf) ?? new Uint8Array();
  const rtf = unpackRtf(packed, most);
  const said = rtf === null ? null : readRtf(count(rtf));
  if (said === null) {
    const message = 'The text of the mail is there as damaged RTF alone, which is not read.';
    const isLost = text === '' && rtf?.length !== 0 && packed.length > RTF_HEAD_BYTES;
    return { html: null, text, warnings: isLost ? [{ code: 'text_not_read', message }] : [] };
  }
  if (said.kind === 'text') return { html: null, text: text === '' ? said.text : text, warnings: [] };
  return { html: said.wrapped || text === '' ? utf8Page(said.text) : null, text, warnings: [] };
}

/** Pictures that its page shows are a part of its looks. */
function isShown(attachment: Properties, shown: ReadonlySet<string>): boolean {
  const id = attachment.text(propertyIds.contentId);
  const isPicture =
    attachment.text(propertyIds.mimeType).startsWith('image/') ||
    /\.(?:png|jpe?g|gif|bmp|emz|wmz)$/i.test(attachment.text(propertyIds.longName));
  return isPicture && shown.has(id);
}

interface Attached {
  readonly files: readonly InnerFile[];
  readonly warnings: readonly Warning[];
  readonly more: number;
}

function attachedTo(opened: Opened, folder: string, mail: Properties, page: string): Attached {
  const { file, paths, count } = opened;
  const warnings: Warning[] = [];
  const own = file.paths.flatMap((path) =>
    path.startsWith(folder) ? (ATTACHMENT.exec(path.slice(folder.length))?.[0] ?? []) : [],
  );
  const all = [...new Set(own)].map((name) => {
    const place = `${folder}${name}`;
    return { place, properties: readProperties(file, paths, place, { head: HEAD_BYTES.attachment, outer: mail }) };
  });
  const shown = new Set([...page.matchAll(/cid:([^"'\s<>()]+)/gi)].map(([, id = '']) => id));
  const wanted = all.filter(({ properties }, at) => at >= MAX_PICTURES || !isShown(properties, shown));
  const files = wanted.slice(0, MAX_ATTACHMENTS).flatMap(({ place, properties }, at): InnerFile[] => {
    const { text, has, bytes } = properties;
    const name = text(propertyIds.longName) || text(propertyIds.shortName) || text(propertyIds.displayName);
    const inner = `${place}${INNER_MAIL}`;
    if (paths.has(`${inner}__properties_version1.0`))
      return [{ name: name || `message-${at + 1}.msg`, read: (options) => readMail(opened, inner, options) }];
    if (has(propertyIds.attachedBytes, '0102'))
      return [
        { name: name || `attachment-${at + 1}`, bytes: count(bytes(propertyIds.attachedBytes) ?? new Uint8Array()) },
      ];
    const what = file.paths.some((path) => path.startsWith(inner))
      ? 'is an object of another program'
      : 'is not in the file';
    warnings.push({
      code: 'attachment_not_read',
      message: `${name || `attachment-${at + 1}`} was not read: it ${what}.`,
    });
    return [];
  });
  return { files, warnings, more: Math.max(0, wanted.length - MAX_ATTACHMENTS) };
}

/** The mail whose properties lie at `folder`. */
async function readMail(opened: Opened, folder: string, options: ReadOptions): Promise<Document> {
  const head = folder === '' ? HEAD_BYTES.mail : HEAD_BYTES.inner;
  const properties = readProperties(opened.file, opened.paths, folder, { head });
  const { text, time } = properties;
  const body = bodyOf(properties, opened);
  const attached = attachedTo(
    opened,
    folder,
    properties,
    body.html === null ? '' : Buffer.from(body.html).toString('utf8'),
  );
  const letter: Letter = {
    subject: text(propertyIds.subject),
    from: senderOf(properties),
    ...recipientsOf(opened, folder, properties),
    date: time(propertyIds.sent) ?? time(propertyIds.received),
    more: outlookItem(properties),
    html: body.html,
    text: body.text,
    attachments: attached.files,
    moreAttachments: attached.more,
  };
  const isEmpty = letter.subject === '' && letter.from === '' && body.text === '' && body.html === null;
  // What has no text of its own within another one, such as a meeting that was moved, is none the less whole.
  if (folder === '' && isEmpty && attached.files.length === 0 && body.warnings.length === 0)
    throw new ParseError('CORRUPTED', 'The mail is damaged: nothing of it can be read.');
  const document = await letterDocument('msg', letter, options);
  return { ...document, warnings: [...document.warnings, ...attached.warnings, ...body.warnings] };
}

/** MSG: a mail of Outlook, an appointment or a contact, with what is attached to it. */
export const readMsg: Reader = async (bytes, options) => {
  const file = openCompoundFile(bytes, options.limits.entries);
  // Folders may lie in the same sectors of the file, so that their bytes are more than its own.
  const counted = createCounter(options.limits, 'inflatedBytes');
  const most = options.limits.inflatedBytes;
  const count = (content: Uint8Array): Uint8Array => {
    if (counted(content.length) > most)
      throw new ParseError('TOO_LARGE', 'What is attached to the mail is too large together.');
    return content;
  };
  return readMail({ file, paths: new Set(file.paths), count, most }, '', options);
};
