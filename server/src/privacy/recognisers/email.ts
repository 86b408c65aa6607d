import type { Report } from '../finding.ts';

/** Of the characters that the standard allows those which people use; the others stand before addresses more often than in them. */
const LOCAL = /[A-Za-z0-9.%+_'-]/;
/** Names of files and of versions, which stand behind an @ as well. */
const noDomains = new Set(
  'png jpg jpeg gif svg webp ico css js ts mjs cjs jsx tsx json html md py rb go rs java zip tar gz pdf txt beta alpha rc'.split(
    ' ',
  ),
);
const DOMAIN =
  /^(?:[A-Za-z0-9가-힣](?:[A-Za-z0-9가-힣-]{0,61}[A-Za-z0-9가-힣])?\.){1,8}(?:[A-Za-z]{2,24}|xn--[a-z0-9]{2,40}|한국)(?![A-Za-z0-9-]*@)/;
const MAX_LOCAL_PART_LENGTH = 64;
const MAX_DOMAIN_LENGTH = 253;
/** An @ in the ways in which people hide it from machines. */
const AT = /@| ?[([]\s?(?:at|@|골뱅이)\s?[)\]] ?/gi;

function localStart(text: string, at: number): number {
  let start = at;
  while (start > 0 && at - start <= MAX_LOCAL_PART_LENGTH && LOCAL.test(text.charAt(start - 1))) start--;
  if (at - start > MAX_LOCAL_PART_LENGTH) return at;
  // Quotes, marks and a masked value before an address are none of it.
  while (start < at && !/[A-Za-z0-9_]/.test(text.charAt(start))) start++;
  return start;
}

/** Addresses of mail. Source: RFC 5321, section 4.1.2, as they are written; labels of domains may be Hangul. */
export function findEmails(text: string, report: Report): void {
  for (const { index, 0: sign } of text.matchAll(AT)) {
    const start = localStart(text, index);
    if (start === index || text[index - 1] === '.' || text.slice(start, index).includes('..')) continue;
    const from = index + sign.length;
    const domain = DOMAIN.exec(text.slice(from, from + MAX_DOMAIN_LENGTH))?.[0];
    if (domain === undefined) continue;
    const [name = '', last = ''] = [domain.split('.')[0], domain.split('.').at(-1)?.toLowerCase()];
    if (noDomains.has(last) || /^[0-9]+$/.test(name)) continue;
    // A password in an address of the web ends with an @ as well.
    if (text.startsWith('://', start - 3)) continue;
    if (text[start - 1] === ':' && /:\/\/[^\s/]*:$/.test(text.slice(Math.max(0, start - 80), start))) continue;
    report('EMAIL', start, from + domain.length, sign === '@' ? 0.98 : 0.85);
  }
}
