import { expect, test } from 'vitest';
import { drawFace } from '../test/costly.ts';
import { PdfWriter } from '../test/pdf.ts';
import { readPdf } from './readers/pdf/index.ts';
import { standardLimits } from './reader.ts';
import { blockText } from './render/text.ts';
import { type PageStep, type PageResult, Work, type WorkLog } from './work.ts';

/** A clock that goes on by so much whenever something is read. */
function rig({ pageMs = Infinity, documentMs = Infinity }) {
  let nowMs = 0;
  const read: number[] = [];
  return {
    limits: { pageMs, documentMs },
    clock: () => nowMs,
    read,
    reader: (costMs: number) => (page: number) => {
      nowMs += costMs;
      read.push(page);
      return Promise.resolve<PageResult>({});
    },
  };
}
const noProgress = () => undefined;

test('once a document has had its work no page is begun, and one warning tells of those that are left', async () => {
  const { read, reader, ...options } = rig({ documentMs: 25 });
  const told: number[] = [];
  const { parts, warnings } = await new Work(options).pages([1, 2, 3, 5, 9], reader(10), (done) => told.push(done));
  expect(read).toEqual([1, 2, 3]);
  expect([...parts.keys()]).toEqual([1, 2, 3]);
  expect(warnings).toMatchObject([{ code: 'pages_left_out', page: 5 }]);
  expect(warnings[0]?.message).toContain('2 pages, from page 5 to page 9');
  expect(told).toEqual([1, 2, 3, 4, 5]);
});

test('what was read, spent and ended by other processes counts', async () => {
  const { read, reader, ...options } = rig({ documentMs: 100 });
  const kept: PageResult = {};
  const ended = new Map<number, PageStep>([
    [2, 'read'],
    [3, 'recognise'],
  ]);
  const log: string[] = [];
  const tell: WorkLog = {
    begin: (page, step) => void log.push(`${page} ${step}`),
    store: (page) => Promise.resolve(void log.push(`${page} kept`)),
  };
  const earlier = { spentMs: 70, parts: new Map([[1, kept]]), ended };
  const work = new Work({ ...options, earlier, log: tell });
  const { parts, warnings } = await work.pages([1, 2, 3, 4, 5], reader(20), noProgress);
  expect(read).toEqual([3, 4]);
  expect(parts.get(1)).toBe(kept);
  expect([work.hasEnded(3), work.hasEnded(4)]).toEqual([true, false]);
  expect(warnings.map(({ code, page }) => [code, page])).toEqual([
    ['page_too_costly', 2],
    ['pages_left_out', 5],
  ]);
  expect(log).toEqual(['3 read', '3 kept', '4 read', '4 kept']);
});

test('recognition of a drawing ends with the work of its page; the rest of the document is there', async () => {
  const writer = new PdfWriter();
  drawFace(writer.page());
  writer.page().text(72, 90, 'The second page has words.');
  // A clock that is looked at before each place of a picture that is read.
  let looks = 0;
  const work = new Work({ limits: { pageMs: 4, documentMs: Infinity }, clock: () => looks++ });
  const { blocks, warnings } = await readPdf(writer.bytes(), {
    limits: standardLimits,
    pages: null,
    ocr: { mode: 'auto', languages: ['eng'] },
    work,
    onPage: noProgress,
  });
  expect(warnings).toMatchObject([{ code: 'recognition_ended', page: 1 }]);
  expect(blocks.map(blockText)).toContain('The second page has words.');
  // Thousands, were each of its strokes looked at.
  expect(looks).toBeLessThan(2_000);
});
