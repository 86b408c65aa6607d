import { expect, test } from 'vitest';
import { replaceEmbedded } from './embedded-data.ts';

const form = { head: /data:image\/png;base64,/g, foreign: /[^\w+/=]/g, minLength: 4 };

test('files within a text are replaced, from their head to the first character that is none of them', () => {
  const text =
    '![a](data:image/png;base64,QUJD=) and data:image/png;base64,abc, data:image/png;base64,data:image/png;base64,QUJDRA==';
  const seen: string[] = [];
  const result = replaceEmbedded(text, form, (data) => {
    seen.push(data);
    return `<${data.length}>`;
  });
  expect(seen).toEqual(['QUJD=', 'data']);
  expect(result).toBe('![a](<5>) and data:image/png;base64,abc, <4>:image/png;base64,QUJDRA==');
});

test('a file of many megabytes is found as well', () => {
  const data = 'A'.repeat(12_000_000);
  expect(replaceEmbedded(`a data:image/png;base64,${data}) b`, form, (found) => String(found.length))).toBe(
    'a 12000000) b',
  );
});
