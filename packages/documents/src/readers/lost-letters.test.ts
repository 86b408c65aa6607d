import { expect, test } from 'vitest';
import { LetterCount, countRuns } from './lost-letters.ts';

/** The letters that the runs of a part hold, by what is said where none of them was seen. */
function heldIn(xml: string, seen: string): readonly string[] {
  const count = new LetterCount();
  countRuns(count, Buffer.from(xml));
  count.seen(seen);
  return count.warnings().map(({ code }) => code);
}

test('runs are counted whatever their namespace, without what lies within them', () => {
  const xml =
    '<a:p><hp:t>가나</hp:t><t x="1">다<b/>라</t><hp:t/><hp:t a="b" /><w:tab>마</w:tab><hp:t>&lt;</hp:t ></a:p>';
  expect(heldIn(xml, '')).toEqual(['text_not_read']);
  expect(heldIn(xml, '가나다라<')).toEqual([]);
  expect(heldIn('<hp:t/><p>가</p>', '')).toEqual([]);
});

test('runs that nothing closes, and signs within them, end', () => {
  const many = 300_000;
  for (const xml of [
    '<t>'.repeat(many),
    '<t '.repeat(many),
    `<t>a</t>${'<t>'.repeat(many)}`,
    `<t>${'<'.repeat(many)}</t>`,
    `<t>a</t${' '.repeat(many)}`,
  ])
    expect(heldIn(xml, 'a'.repeat(many))).toEqual([]);
});
