import { expect, test } from 'vitest';
import { covers } from '../../../test/requirements.ts';
import { findPii } from '../find.ts';
import { createSearch } from './search.ts';

const long = '주민번호 960121-1234567, 전화 010-1234-5678. 오늘은 날씨가 좋다.\n'.repeat(3_000);

test('long texts are looked through beside what else is done', async () => {
  covers('pii.linear');
  const search = createSearch();
  const policy = { types: ['PHONE'] as const, threshold: 0.6, allowList: ['1'] };
  let turns = 0;
  const clock = setInterval(() => turns++, 1);
  const both = await Promise.all([search.find(long, policy), search.find(long, {})]);
  clearInterval(clock);
  expect(both[0]).toEqual(findPii(long, policy));
  expect(both[1]).toEqual(findPii(long));
  expect(turns).toBeGreaterThan(0);
  // A text with very many comes back in turns, too.
  const many = '960121-1234567 010-1234-5678 '.repeat(5_000);
  const found = await search.find(many, { types: ['RRN', 'PHONE'] });
  expect(found).toEqual(findPii(many, { types: ['RRN', 'PHONE'] }));
  expect(found.length).toBeGreaterThan(5_000);
  await search.close();
  await search.close();
});

test('at the end long texts are refused', async () => {
  const search = createSearch();
  const found = search.find(long, {});
  const ended = expect(found).rejects.toMatchObject({ code: 'unavailable' });
  await new Promise((resolve) => setImmediate(resolve));
  await search.close();
  await ended;
  await expect(search.find(long, {})).rejects.toMatchObject({ code: 'unavailable' });
  expect(await search.find('960121-1234567', {})).toHaveLength(1);
});
