import { expect, test } from 'vitest';
import { listedLines } from './list-runs.ts';

const line = (text: string, standsOut = false) => ({ text, standsOut });

test('numbered lines one after the other are items, with inner ones between them too', () => {
  expect(listedLines([line('1. 예산'), line('가. 국비'), line('2. 인력'), line('본문이 이어진다')])).toEqual([
    true,
    false,
    true,
    false,
  ]);
});

test('numbered lines above text, tables or under other numbers are not', () => {
  const none = (lines: Parameters<typeof listedLines>[0]) => expect(listedLines(lines)).not.toContain(true);
  none([line('1. 목적'), line('이 규정은 다음과 같다'), line('2. 범위')]);
  none([line('1. 목적'), null, line('2. 범위')]);
  none([line('1. 목적'), line('가. 대상')]);
  none([line('3. Conclusions'), line('1. Pumps')]);
  none([line('제1조(목적)'), line('제2조(정의)')]);
  none([line('1. 목적', true), line('2. 범위', true)]);
});
