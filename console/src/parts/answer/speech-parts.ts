/** Characters that are said at a time: the first are heard while the next are made. */
const MAX_PART = 400;

/**
 * A text in parts to be said one after the other, each at most 400 characters: whole sentences where they are not longer. The first is
 * short, so that something is heard soon.
 */
export function speechParts(text: string): string[] {
  const parts: string[] = [];
  let part = '';
  const pieces = text
    .replaceAll(/\[\d{1,4}\]/g, '')
    .split(/(?<=[.!?。…]["'”’)]?\s)|\n+/)
    .flatMap((piece) => piece.match(new RegExp(`[^]{1,${MAX_PART}}`, 'gu')) ?? []);
  for (const piece of pieces) {
    const most = parts.length === 0 ? MAX_PART / 4 : MAX_PART;
    if (part !== '' && part.length + piece.length > most) {
      parts.push(part.trim());
      part = '';
    }
    part += `${piece} `;
  }
  parts.push(part.trim());
  return parts.map((one) => one.replaceAll(/\s+/g, ' ')).filter((one) => /[\p{L}\p{N}]/u.test(one));
}
