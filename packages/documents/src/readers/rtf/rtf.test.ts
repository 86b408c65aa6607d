import { expect, test } from 'vitest';
import { brief } from '../../../test/brief.ts';
import { standardLimits } from '../../reader.ts';
import { readDocument } from '../index.ts';

const read = (rtf: string) =>
  readDocument(Buffer.from(rtf, 'latin1'), 'a.rtf', { limits: standardLimits, pages: null, onPage: () => undefined });
/** Korean as RTF has it, in the charset of its font. */
const korean = '{\\fonttbl{\\f0\\fcharset129 Batang;}}\\f0 ';

test('RTF is read: Korean, headings by their level, tables, notes, letters beyond the charset', async () => {
  const { format, blocks, warnings } = await read(
    `{\\rtf1\\ansi\\ansicpg949 ${korean}{\\stylesheet{\\s1 heading 1;}}{\\info{\\title no}}` +
      "\\pard\\outlinelevel0 \\'bb\\'e7\\'be\\'f7 1\\par\\pard " +
      "\\'b1\\'db{\\super 1}{\\footnote\\pard a note\\par}\\u8212?end {\\v hidden}\\par" +
      '{\\shp{\\*\\shpinst{\\sp{\\sn shapeType}{\\sv 202}}{\\shptxt in a box\\par}}}' +
      '\\trowd\\intbl A\\cell B\\cell\\row\\trowd\\intbl 1\\cell 2\\cell\\row\\pard {\\pict 010203}last\\par}',
  );
  expect(format).toBe('rtf');
  expect(warnings).toEqual([]);
  expect(brief(blocks)).toEqual([
    'h1 사업 1',
    'p 글1 (a note )—end',
    'p in a box',
    't p A | p B | p 1 | p 2',
    'p last',
  ]);
});

test('damaged RTF is read as far as it goes', async () => {
  expect(brief((await read('{\\rtf1 one\\par {\\b two {{{ \\bin99999 x')).blocks)).toEqual(['p one', 'p two']);
  expect((await read('{\\rtf1')).warnings).toMatchObject([{ code: 'no_text' }]);
  expect(brief((await read(`{\\rtf1 ${'{'.repeat(3_000)}deep${'}'.repeat(3_000)}}`)).blocks)).toEqual(['p deep']);
});
