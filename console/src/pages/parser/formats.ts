/** What files are called whose content is read; the content decides, not the name. */
export const ACCEPTED =
  '.pdf,.hwp,.hwpx,.docx,.xlsx,.pptx,.html,.htm,.md,.markdown,.csv,.tsv,.txt,.png,.jpg,.jpeg,.tif,.tiff,.bmp,.gif,.webp';

const names: Readonly<Record<string, string>> = { markdown: 'Markdown', text: 'TXT' };

/** What the name says of the format. */
function endingOf(name: string | null): string | null {
  const ending = /\.([a-z0-9]{1,8})$/i.exec(name ?? '')?.[1];
  return ending === undefined ? null : ending.toUpperCase();
}

/** A format as people know it: of its content once that was read, until then what the name says. Pictures are of many formats. */
export function formatName(format: string | null, name: string | null): string {
  if (format === null || format === 'image') return endingOf(name) ?? '–';
  return names[format] ?? format.toUpperCase();
}
