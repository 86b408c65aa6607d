/** What files are called whose content is read; the content decides, not the name. */
export const ACCEPTED =
  '.pdf,.hwp,.hwpx,.docx,.xlsx,.pptx,.html,.htm,.md,.markdown,.csv,.tsv,.txt,.png,.jpg,.jpeg,.tif,.tiff';

const names: Readonly<Record<string, string>> = { markdown: 'Markdown', text: 'TXT', image: 'IMG' };

/** A format as people know it. */
export const formatName = (format: string): string => names[format] ?? format.toUpperCase();

/** What the name says of the format, until the content does. */
export function endingOf(name: string | null): string | null {
  const ending = /\.([a-z0-9]{1,8})$/i.exec(name ?? '')?.[1];
  return ending === undefined ? null : ending.toUpperCase();
}
