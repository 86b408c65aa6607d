import { expect, test } from 'vitest';
import { PdfWriter } from '../../test/pdf.ts';
import { standardLimits } from '../reader.ts';
import { renderMarkdown } from '../render/markdown.ts';
import { readSeen, type SeenPages } from './seen.ts';

function bytes(pages = 3): Buffer {
  const pdf = new PdfWriter({ Title: '보고' });
  for (let nth = 1; nth <= pages; nth++) pdf.page().text(60, 100, `${nth}쪽의 글이 파일에 이렇게 적혀 있다.`);
  return pdf.bytes();
}
const read = (seen: SeenPages, limits = standardLimits) =>
  readSeen(bytes(), 'a.pdf', seen, { limits, pages: null, onPage: () => undefined });

test('pages that others have read stand among those that are read here, in their order', async () => {
  const seen: SeenPages = {
    read: [
      { page: 1, markdown: '```markdown\n# 제목[^1]\n\n| 가 | 나 |\n|---|---|\n| 1 | 2 |\n\n[^1]: 앞의 주\n```' },
      { page: 3, markdown: '- 하나[^1]\n- 둘\n\n[^1]: 뒤의 주' },
    ],
    missed: [2],
    why: 'it took too long',
  };
  const document = await read(seen);
  expect(document).toMatchObject({ format: 'pdf', meta: { title: '보고' } });
  expect(document.pages.map(({ number, recognised }) => [number, recognised])).toEqual([
    [1, true],
    [2, undefined],
    [3, true],
  ]);
  expect(document.blocks.map(({ type, page }) => `${type} ${page}`)).toEqual([
    'heading 1',
    'table 1',
    'footnote 1',
    'paragraph 2',
    'list 3',
    'footnote 3',
  ]);
  expect(document.warnings).toEqual([
    {
      code: 'layout_not_read',
      page: 2,
      message: 'Page 2 was read by the service itself, as the layout reader did not read it: it took too long',
    },
  ]);
  const markdown = renderMarkdown(document.blocks);
  expect(markdown).toContain('2쪽의 글이');
  // Each mark leads to the note of its own page.
  expect(markdown).toMatch(/제목\[\^1\][^]*\[\^1\]: 앞의 주[^]*하나\[\^1-2\][^]*\[\^1-2\]: 뒤의 주/);
});

test('a document of which all was read elsewhere is not opened here, and what is damaged loses no page of others', async () => {
  const options = { limits: standardLimits, pages: null, onPage: () => undefined };
  const whole: SeenPages = { read: [{ page: 1, markdown: '글' }], missed: [], why: '' };
  const broken = Buffer.from('%PDF-1.7 nothing of it can be read');
  expect(await readSeen(broken, null, whole, options)).toMatchObject({
    format: 'pdf',
    blocks: [{ type: 'paragraph', page: 1 }],
    warnings: [],
  });
  const partly = await readSeen(broken, null, { ...whole, missed: [2, 3], why: 'away' }, options);
  expect(partly.warnings).toMatchObject([
    { code: 'layout_not_read', message: expect.stringContaining('Pages 2, 3 were') },
  ]);
  await expect(readSeen(broken, null, { read: [], missed: [1], why: 'away' }, options)).rejects.toMatchObject({
    code: 'CORRUPTED',
  });
});

test('what was read elsewhere counts against the limits of a document', async () => {
  const page = (nth: number) => ({ page: nth, markdown: '글'.repeat(60) });
  const seen: SeenPages = { read: [page(1), page(2)], missed: [], why: '' };
  await expect(read(seen, { ...standardLimits, characters: 100 })).rejects.toMatchObject({ code: 'TOO_LARGE' });
  await expect(read(seen, { ...standardLimits, characters: 200 })).resolves.toMatchObject({ warnings: [] });
});
