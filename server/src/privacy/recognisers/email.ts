import type { Report } from '../finding.ts';

/** The characters that people use, of those that the standard allows; the others precede addresses more often than they are part of them. */
const LOCAL = /[A-Za-z0-9.%+_'-]/;
/** Extensions of files and names of versions, which follow an @ as well. */
const fileExtensions = new Set(
  'png jpg jpeg gif svg webp ico css js ts mjs cjs jsx tsx json html md py rb go rs java zip tar gz pdf txt beta alpha rc'.split(
    ' ',
  ),
);
const DOMAIN =
  /^(?:[A-Za-z0-9가-힣](?:[A-Za-z0-9가-힣-]{0,61}[A-Za-z0-9가-힣])?\.){1,8}(?:[A-Za-z]{2,24}|xn--[a-z0-9]{2,40}|한국)(?![A-Za-z0-9-]*@)/;
const MAX_LOCAL_PART_LENGTH = 64;
const MAX_DOMAIN_LENGTH = 253;
/** An @, also in the forms in which people hide it from machines. */
const AT = /@| ?[([]\s?(?:at|@|골뱅이)\s?[)\]] ?/gi;

function localStart(text: string, at: number): number {
  let start = at;
  while (start > 0 && at - start <= MAX_LOCAL_PART_LENGTH && LOCAL.test(text.charAt(start - 1))) start--;
  if (at - start > MAX_LOCAL_PART_LENGTH) return at;
  // Quotes, punctuation and a masked value before an address are not part of it.
  while (start < at && !/[A-Za-z0-9_]/.test(text.charAt(start))) start++;
  return start;
}

/** Finds mail addresses. Source: RFC 5321, section 4.1.2, in the forms in use; labels of domains may be Hangul. */
export function findEmails(text: string, report: Report): void {
  for (const { index, 0: sign } of text.matchAll(AT)) {
    const start = localStart(text, index);
    if (start === index || text[index - 1] === '.' || text.slice(start, index).includes('..')) continue;
    const domainStart = index + sign.length;
    const domain = DOMAIN.exec(text.slice(domainStart, domainStart + MAX_DOMAIN_LENGTH))?.[0];
    if (domain === undefined) continue;
    const [name = '', topLevel = ''] = [domain.split('.')[0], domain.split('.').at(-1)?.toLowerCase()];
    if (fileExtensions.has(topLevel) || /^[0-9]+$/.test(name)) continue;
    // A password in a URL also ends with an @.
    if (text.startsWith('://', start - 3)) continue;
    if (text[start - 1] === ':' && /:\/\/[^\s/]*:$/.test(text.slice(Math.max(0, start - 80), start))) continue;
    report('EMAIL', start, domainStart + domain.length, sign === '@' ? 0.98 : 0.85);
  }
}
