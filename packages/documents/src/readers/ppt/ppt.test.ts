import { describe, expect, test } from 'vitest';
import { brief } from '../../../test/brief.ts';
import { attempt } from '../../../test/damage.ts';
import { letterLooks, paragraphLooks, type PptForm, writePpt } from '../../../test/ppt.ts';
import { type ReadOptions, standardLimits } from '../../reader.ts';
import { renderMarkdown } from '../../render/markdown.ts';
import { readDocument } from '../index.ts';
import { readPpt } from './index.ts';

const read = (bytes: Uint8Array, more: Partial<ReadOptions> = {}) =>
  readDocument(bytes, 'a.ppt', { limits: standardLimits, pages: null, onPage: () => undefined, ...more });

const lines = '첫째 줄\r둘째 줄\r글';
const form: PptForm = {
  slides: [
    {
      outline: [
        { kind: 0, text: '사업 개요' },
        {
          kind: 1,
          text: lines,
          style: [
            ...paragraphLooks(5, 0),
            ...paragraphLooks(5, 1),
            ...paragraphLooks(2, 0, false),
            ...letterLooks(2, true),
            ...letterLooks(lines.length - 1, false),
          ],
        },
        { kind: 4, text: '어느 도형에도 없는 글' },
      ],
      shapes: [
        { at: [300, 3_000, 2_000, 3_300], text: { kind: 4, text: '아래 상자\u000b둘째 줄' } },
        { at: [300, 200, 5_000, 600], outline: 0 },
        { at: [300, 800, 5_000, 2_500], outline: 1 },
        { at: [3_000, 3_000, 4_000, 3_800], isPicture: true },
      ],
      notes: '발표자에게',
    },
    {
      hidden: true,
      shapes: [
        {
          at: [0, 0, 400, 200],
          cells: [
            { at: [0, 0, 400, 100], text: { kind: 4, text: '머리' } },
            { at: [0, 100, 200, 200], text: { kind: 4, text: '가' } },
            { at: [200, 100, 400, 200], text: { kind: 4, text: '나' } },
            { at: [200, 100, 200, 200] },
          ],
        },
      ],
    },
  ],
};

describe('PPT', () => {
  test('has slides with titles, points, boxes, pictures, tables and what the speaker is told', async () => {
    const { format, pages, blocks, warnings } = await read(writePpt(form));
    expect({ format, warnings }).toEqual({ format: 'ppt', warnings: [] });
    expect(pages).toEqual([
      { number: 1, width: 720, height: 540, name: '사업 개요' },
      { number: 2, width: 720, height: 540, hidden: true },
    ]);
    const [first, second] = [1, 2].map((page) => blocks.filter((block) => block.page === page));
    expect(
      renderMarkdown(first ?? [])
        .split('\n')
        .filter((line) => line !== ''),
    ).toEqual([
      '# 사업 개요',
      '- **첫째** 줄',
      '    - 둘째 줄',
      '글',
      '아래 상자  ',
      '둘째 줄',
      '어느 도형에도 없는 글',
      '발표자에게',
    ]);
    expect(brief(second ?? [])).toEqual(['t p 머리 | p 가 | p 나']);
    expect(second?.[0]).toMatchObject({ rows: 2, columns: 2 });
  });

  test('is refused in words where it has a password, or an office program is there', async () => {
    await expect(read(writePpt({ ...form, token: 0xf3d1c4df }))).rejects.toMatchObject({ code: 'ENCRYPTED' });
    await expect(read(writePpt(form), { hasOffice: true })).rejects.toMatchObject({ savedAs: 'pptx' });
  });

  test('damaged anywhere is read or refused', async () => {
    const whole = writePpt(form);
    const found = new Set<string>();
    for (let at = 512; at < whole.length; at += 29) {
      const bytes = Buffer.from(whole);
      bytes[at] = (bytes[at] ?? 0) ^ 0xff;
      found.add(await attempt(readPpt, 'ppt', bytes));
    }
    expect([...found].toSorted()).toEqual(['read', 'refused']);
  });
});
