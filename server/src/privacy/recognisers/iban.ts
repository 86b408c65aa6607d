import { isIbanChecksum } from '../checksums.ts';
import type { Report } from '../finding.ts';

/** Characters of an account number by country. Source: SWIFT, registry of IBAN formats. */
const lengths: Readonly<Record<string, number>> = {
  AD: 24,
  AE: 23,
  AL: 28,
  AT: 20,
  AZ: 28,
  BA: 20,
  BE: 16,
  BG: 22,
  BH: 22,
  BI: 27,
  BR: 29,
  BY: 28,
  CH: 21,
  CR: 22,
  CY: 28,
  CZ: 24,
  DE: 22,
  DJ: 27,
  DK: 18,
  DO: 28,
  EE: 20,
  EG: 29,
  ES: 24,
  FI: 18,
  FK: 18,
  FO: 18,
  FR: 27,
  GB: 22,
  GE: 22,
  GI: 23,
  GL: 18,
  GR: 27,
  GT: 28,
  HN: 28,
  HR: 21,
  HU: 28,
  IE: 22,
  IL: 23,
  IQ: 23,
  IS: 26,
  IT: 27,
  JO: 30,
  KW: 30,
  KZ: 20,
  LB: 28,
  LC: 32,
  LI: 21,
  LT: 20,
  LU: 20,
  LV: 21,
  LY: 25,
  MC: 27,
  MD: 24,
  ME: 22,
  MK: 19,
  MN: 20,
  MR: 27,
  MT: 31,
  MU: 30,
  NI: 28,
  NL: 18,
  NO: 15,
  OM: 23,
  PK: 24,
  PL: 28,
  PS: 29,
  PT: 25,
  QA: 29,
  RO: 24,
  RS: 22,
  RU: 33,
  SA: 24,
  SC: 31,
  SD: 18,
  SE: 24,
  SI: 19,
  SK: 24,
  SM: 27,
  SO: 23,
  ST: 25,
  SV: 28,
  TL: 23,
  TN: 24,
  TR: 26,
  UA: 29,
  VA: 22,
  VG: 24,
  XK: 20,
  YE: 30,
};

const START = /(?<![A-Za-z0-9_*])(?:[A-Z]{2}|[a-z]{2})[0-9]{2}(?=[ -]?[A-Za-z0-9])/g;
const MAX_LENGTH = 44;

const isAlphanumeric = (code: number) =>
  (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122);

/** Takes the first `count` letters and digits of a text, with single spaces or dashes between; null where it has fewer. */
function takeCharacters(text: string, count: number): { readonly value: string; readonly length: number } | null {
  let found = 0;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (isAlphanumeric(code)) found++;
    else if (!(code === 32 || code === 45) || !isAlphanumeric(text.charCodeAt(index + 1))) return null;
    if (found === count)
      return {
        value: text
          .slice(0, index + 1)
          .replace(/[ -]/g, '')
          .toUpperCase(),
        length: index + 1,
      };
  }
  return null;
}

/** Finds international account numbers by country, length and check digits. */
export function findIbans(text: string, report: Report): void {
  for (const { index, 0: start } of text.matchAll(START)) {
    const count = lengths[start.slice(0, 2).toUpperCase()];
    const found = count === undefined ? null : takeCharacters(text.slice(index, index + MAX_LENGTH), count);
    if (!found || !isIbanChecksum(found.value)) continue;
    const end = index + found.length;
    if (!/[A-Za-z0-9_*]/.test(text.charAt(end))) report('IBAN', index, end, 0.97);
  }
}
