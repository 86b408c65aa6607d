import { piiTypes } from '@ai-studio/contract/utilities/privacy.ts';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { isIbanChecksum } from '../checksums.ts';
import { findPii } from '../index.ts';
import { normalise } from '../normalise.ts';
import { recognise } from './index.ts';

/** Everything that is found in a text, however unsure, in its order: `PHONE 0.92 010-1234-5678`. */
function reports(text: string): string {
  const { text: read } = normalise(text);
  const found: { readonly start: number; readonly end: number; readonly told: string }[] = [];
  recognise(read, new Set(piiTypes), 'auto', (type, start, end, score) =>
    found.push({ start, end, told: `${type} ${Math.round(score * 100) / 100} ${read.slice(start, end)}` }),
  );
  const inOrder = found.toSorted((a, b) => a.start - b.start || a.end - b.end || (a.told < b.told ? -1 : 1));
  return inOrder.map(({ told }) => told).join('; ');
}

// How sure the recognisers are is a decision of its own: it says which of two findings stays, and what a threshold lets pass. So each text
// of the file stands there with all that is reported of it; who changes a rule changes the lines that change with it.
const sections = readFileSync(join(import.meta.dirname, 'scores.fixture.txt'), 'utf8')
  .split(/^# /m)
  .slice(1);

describe('scores', () => {
  test.each(sections.map((section): [string, string] => [section.split('\n', 1)[0] ?? '', section]))(
    'of %s',
    (_, section) => {
      const lines = section
        .split('\n')
        .slice(1)
        .filter((line) => line !== '');
      expect(lines.length).toBeGreaterThan(10);
      const now = lines.map((line) => {
        const text = line.slice(0, line.indexOf(' => '));
        return `${text} => ${JSON.stringify(reports(JSON.parse(text) as string)).slice(1, -1)}`;
      });
      expect(now).toEqual(lines);
    },
  );
});

describe('international account numbers', () => {
  const registry =
    'AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BI27 BR29 BY28 CH21 CR22 CY28 CZ24 DE22 DJ27 DK18 DO28 EE20 EG29 ES24 FI18 FK18 FO18 ' +
    'FR27 GB22 GE22 GI23 GL18 GR27 GT28 HN28 HR21 HU28 IE22 IL23 IQ23 IS26 IT27 JO30 KW30 KZ20 LB28 LC32 LI21 LT20 LU20 LV21 LY25 MC27 ' +
    'MD24 ME22 MK19 MN20 MR27 MT31 MU30 NI28 NL18 NO15 OM23 PK24 PL28 PS29 PT25 QA29 RO24 RS22 RU33 SA24 SC31 SD18 SE24 SI19 SK24 SM27 ' +
    'SO23 ST25 SV28 TL23 TN24 TR26 UA29 VA22 VG24 XK20 YE30';
  const account = (country: string, length: number) => {
    const rest = '7'.repeat(length - 4);
    const numbers = Array.from({ length: 100 }, (_, at) => `${country}${String(at).padStart(2, '0')}${rest}`);
    return numbers.find((number) => isIbanChecksum(number)) ?? '';
  };

  test.each(['0', '9', 'A', 'Z', 'a', 'z'])('have letters and digits, such as %s', (char) => {
    const numbers = Array.from({ length: 100 }, (_, at) => `MT${String(at).padStart(2, '0')}${char.repeat(27)}`);
    const number = numbers.find((one) => isIbanChecksum(one)) ?? '';
    expect(findPii(`a ${number} b`, { types: ['IBAN'] })).toMatchObject([{ start: 2, end: 33 }]);
  });

  test.each(registry.split(' '))('are as long as their country says: %s', (entry) => {
    const [country, length] = [entry.slice(0, 2), Number(entry.slice(2))];
    const found = (number: string) => findPii(`a ${number} b`, { types: ['IBAN'] }).length;
    expect(found(account(country, length))).toBe(1);
    expect(found(account(country, length - 1))).toBe(0);
    expect(found(account(country, length + 1))).toBe(0);
  });
});
