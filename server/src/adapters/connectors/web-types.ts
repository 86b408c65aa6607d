import { posix } from 'node:path';

// What an answer of a web server is, by its headers and its address.

/** Endings of documents by their media types. */
const endings: Readonly<Record<string, string>> = {
  'text/html': 'html',
  'application/xhtml+xml': 'html',
  'text/plain': 'txt',
  'text/markdown': 'md',
  'text/csv': 'csv',
  'application/pdf': 'pdf',
  'application/msword': 'doc',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 'docx',
  'application/vnd.ms-excel': 'xls',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': 'xlsx',
  'application/vnd.ms-powerpoint': 'ppt',
  'application/vnd.openxmlformats-officedocument.presentationml.presentation': 'pptx',
  'application/vnd.oasis.opendocument.text': 'odt',
  'application/vnd.oasis.opendocument.spreadsheet': 'ods',
  'application/vnd.oasis.opendocument.presentation': 'odp',
  'application/x-hwp': 'hwp',
  'application/haansofthwp': 'hwp',
  'application/vnd.hancom.hwp': 'hwp',
  'application/hwp+zip': 'hwpx',
  'application/haansofthwpx': 'hwpx',
  'application/vnd.hancom.hwpx': 'hwpx',
  'application/epub+zip': 'epub',
  'application/rtf': 'rtf',
  'text/rtf': 'rtf',
  'message/rfc822': 'eml',
};
const known: ReadonlySet<string> = new Set([...Object.values(endings), 'msg', 'markdown', 'htm', 'tsv']);

const endingOf = (name: string): string => (name.includes('.') ? (name.split('.').at(-1) ?? '').toLowerCase() : '');

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

/** A name without what no file may be called, 200 characters at most. */
export const cleanedName = (name: string): string =>
  name
    // eslint-disable-next-line no-control-regex
    .replaceAll(/[\u0000-\u001F\u007F/\\\s]+/gu, ' ')
    .trim()
    .slice(0, 200);

/** The name that a server gives a file. Source: RFC 6266. */
function givenName(disposition: string): string {
  const extended = /filename\*\s*=\s*UTF-8''([^;]+)/i.exec(disposition)?.[1];
  if (extended !== undefined) return decoded(extended.trim());
  const plain = /filename\s*=\s*(?:"([^"]*)"|([^;]*))/i.exec(disposition);
  const bytes = Buffer.from(plain?.[1] ?? plain?.[2]?.trim() ?? '', 'latin1');
  // Many Korean servers write them as they are, or encoded, whatever the standard says.
  const text = bytes.toString('utf8');
  return decoded(text.includes('\uFFFD') ? new TextDecoder('euc-kr').decode(bytes) : text);
}

/** A document that a web server sent. */
export interface WebDocument {
  readonly isPage: boolean;
  /** With its ending; of a page without a title, after its address. */
  readonly name: string;
}

/** What was sent from an address; null where it is no document that is read here, such as a picture. */
export function documentOf(headers: ReadonlyMap<string, string>, url: URL): WebDocument | null {
  const type = (headers.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
  const own = cleanedName(decoded(posix.basename(url.pathname)));
  if (endings[type] === 'html') return { isPage: true, name: /\.html?$/i.test(own) ? own : `${own || url.host}.html` };
  const name = cleanedName(givenName(headers.get('content-disposition') ?? '')) || own;
  if (known.has(endingOf(name)) && !/^(?:image|audio|video|font)\//.test(type)) return { isPage: false, name };
  const ending = endings[type];
  return ending === undefined ? null : { isPage: false, name: `${name || 'document'}.${ending}` };
}

/** The name of a page by its title. */
export const pageName = (title: string, otherwise: string): string => {
  const name = cleanedName(title);
  return name === '' ? otherwise : `${name}.html`;
};

/** Whether documents of an ending are taken. */
export const isTaken = (wanted: ReadonlySet<string> | null, name: string): boolean =>
  wanted === null || wanted.has(endingOf(name));
