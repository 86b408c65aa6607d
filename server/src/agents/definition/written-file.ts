import { writtenFormats } from '@ai-studio/documents';
import { parseTemplate } from './template-text.ts';

// Names of files that answers write: the end says what they are.

/** What a document of Markdown or a list is written as, besides texts. */
const FORMATS = [...writtenFormats, 'csv', 'json', 'md', 'txt', 'html'].map((format) => `.${format}`).join(', ');

/** Ends of files that programs do not open where they are texts. */
const otherFormats: ReadonlySet<string> = new Set(
  [
    'doc dot dotx docm rtf odt hwp hwt hml hwpml hwtx wpd pages',
    'xls xlsx xlsm xlsb xlt xltx ods cell numbers',
    'ppt pptx pptm pps ppsx pot potx odp show key',
    'epub mobi eml msg mbox mht',
    'png jpg jpeg gif webp tif tiff bmp ico heic avif psd',
    'mp3 wav ogg flac m4a mp4 avi mov mkv webm',
    'zip 7z rar tar gz tgz bz2 xz alz egg',
    'exe dll msi jar apk bin iso parquet sqlite db',
  ].flatMap((line) => line.split(' ')),
);

/** The end of a name without its point, in small letters; null without one. */
export const endingOf = (name: string): string | null => /\.([a-z0-9]{1,10})$/i.exec(name)?.[1]?.toLowerCase() ?? null;

/** Why no file of this name is written; null where one is. */
export function nameFault(name: string): string | null {
  const ending = endingOf(name);
  return ending !== null && otherFormats.has(ending)
    ? `No .${ending} file is written; end the name with one of ${FORMATS}`
    : null;
}

/** As {@link nameFault}, of a name with places for results: by what stands behind the last of them. */
export function templateNameFault(name: string): string | null {
  const last = parseTemplate(name).parts.at(-1);
  return typeof last === 'string' ? nameFault(last.trim()) : null;
}
