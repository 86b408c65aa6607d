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
