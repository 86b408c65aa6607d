import { expect, test } from 'vitest';
import type { TextEntry } from './content.ts';
import { rolesOf } from './roles.ts';

const BODY_SIZE_POINTS = 10;
const entry = (text: string, looks: Partial<TextEntry> = {}): TextEntry => ({
  kind: 'text',
  x0: 0,
  y0: 0,
  x1: 100,
  y1: 10,
  spans: [{ text, ...(looks.bold === true ? { bold: true } : {}) }],
  text,
  lines: 1,
  size: BODY_SIZE_POINTS,
  bold: false,
  face: 'Body',
  hidden: false,
  code: null,
  banner: false,
  full: false,
  openEnd: false,
  ...looks,
});
const prose = entry('The readings are taken every day and are sent to the office before noon.', { lines: 3 });

const headingsOf = (entries: readonly TextEntry[]) => {
  const flow = entries.map((one) => ({ page: 1, entry: one }));
  return [...rolesOf(flow, { bookmarks: [] }, BODY_SIZE_POINTS).levels.keys()].flatMap(({ entry: one }) =>
    one.kind === 'text' ? one.text : [],
  );
};

test('a short line in a font of titles is a heading, though nothing says that it is bold', () => {
  const titles = ['Background', 'Methods', 'Results'].flatMap((text) => [entry(text, { face: 'Xyz4711' }), prose]);
  expect(headingsOf(titles)).toEqual(['Background', 'Methods', 'Results']);
});

test('a font that most of whose text is no title says nothing', () => {
  const quoted = entry('A longer text that somebody else has written, in letters of its own.', {
    face: 'Xyz4711',
    lines: 2,
  });
  const titles = ['Background', 'Methods', 'Results'].flatMap((text) => [entry(text, { face: 'Xyz4711' }), prose]);
  expect(headingsOf([...titles, quoted, quoted, prose])).toEqual([]);
});

test('bold lines a little smaller than the text above which they stand are headings, words of programs are not', () => {
  const small = { bold: true, size: 9 };
  expect(headingsOf([entry('SETTING THE DATE', small), prose, entry('else', { bold: true }), prose])).toEqual([
    'SETTING THE DATE',
  ]);
  // In a box all of whose letters are small.
  expect(headingsOf([prose, entry('Vignette', small), entry('Alice decides.', { size: 8, lines: 2 }), prose])).toEqual(
    [],
  );
});

test('steps that end with a colon or hold bold words are points of a list', () => {
  const partly = entry('2. Click Date and Time', {
    bold: true,
    spans: [{ text: '2. Click ' }, { text: 'Date and Time', bold: true }],
  });
  expect(headingsOf([prose, entry('1. Open the page'), partly, entry('3. Select an option:'), prose])).toEqual([]);
  expect(headingsOf([prose, entry('3. Select an option:'), entry('• Automatic'), entry('• Manual'), prose])).toEqual(
    [],
  );
});

test('large lines below each other, as on covers and in diagrams, head nothing; titles and sections above text do', () => {
  const large = (text: string, size = 14) => entry(text, { size, bold: true });
  const cover = [large('Annual Review', 24), large('Kim Hana'), large('Lee Duri'), large('Park Sena'), prose];
  expect(headingsOf([...cover, large('Background'), prose])).toEqual(['Annual Review', 'Background']);
  expect(headingsOf([large('1. First'), large('2. Second'), large('3. Third'), prose])).toHaveLength(3);
});

test('steps that are counted one below the other are items, however large, and so are lists within lists', () => {
  const steps = [1, 2, 3].map((at) => entry(`${at}. 단추를 누른다`, { size: 14 }));
  expect(headingsOf([prose, ...steps, prose])).toEqual([]);
  const apart = [1, 2, 3].flatMap((at) => [entry(`${at}. 추진 배경`, { size: 14 }), prose]);
  expect(headingsOf(apart)).toHaveLength(3);
  const kinds = ['1. 눈', '가. 심함', '나. 덜함', '2. 귀', '가. 심함', '나. 덜함', '3. 입'].map((text) => entry(text));
  expect(headingsOf([prose, ...kinds, prose])).toEqual([]);
});

test('a page in larger letters has no headings but those that are larger still', () => {
  const large = entry(prose.text.repeat(4), { size: 14, lines: 8 });
  const line = entry('Player: wants to win', { size: 14 });
  const title = entry('Use cases', { size: 18 });
  const flow = [
    ...Array.from({ length: 20 }, () => ({ page: 1, entry: prose })),
    ...[title, line, large].map((one) => ({ page: 2, entry: one })),
  ];
  const { levels } = rolesOf(flow, { bookmarks: [] }, BODY_SIZE_POINTS);
  expect([...levels.keys()].map(({ entry: one }) => one)).toEqual([title]);
});
