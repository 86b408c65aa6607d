import { expect, test } from 'vitest';
import { brief } from '../../../test/brief.ts';
import { paragraph as hwpParagraph, writeHwp } from '../../../test/hwp-writer/index.ts';
import { epubParts, writeEpub, writeMsg } from '../../../test/mail.ts';
import { writeOdf } from '../../../test/odf.ts';
import { writeZip } from '../../../test/zip.ts';
import { standardLimits } from '../../reader.ts';
import { readDocument } from '../index.ts';

const read = (bytes: Uint8Array) =>
  readDocument(bytes, null, { limits: standardLimits, pages: null, onPage: () => undefined });
const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64').replaceAll(/.{76}/g, '$&\r\n');
const hwp = writeHwp({ sections: [[hwpParagraph('붙임 문서의 글이다.')]] });

const part = (type: string, body: string, more = '') => `--b\r\nContent-Type: ${type}\r\n${more}\r\n${body}\r\n`;
const attached = (name: string, bytes: Uint8Array, type = 'application/octet-stream') =>
  part(
    `${type}; name="${name}"`,
    base64(bytes),
    `Content-Disposition: attachment; filename="${name}"\r\nContent-Transfer-Encoding: base64\r\n`,
  );
const mail = (...parts: string[]) =>
  Buffer.from(
    [
      'Received: from a.example by b.example; Mon, 5 Jan 2026 09:00:00 +0900',
      'From: =?UTF-8?B?6rmA7ZWY64KY?= <hana@a.example>',
      'To: two@b.example, Three <three@b.example>',
      'Subject: =?UTF-8?B?7ZqM7J2YIOyekOujjA==?=',
      'Date: Mon, 5 Jan 2026 09:00:00 +0900',
      'MIME-Version: 1.0',
      'Content-Type: multipart/mixed; boundary="b"',
      '',
      ...parts,
      '--b--',
      '',
    ].join('\r\n'),
  );

test('a mail is its subject, who wrote to whom, its text, and the documents that are attached', async () => {
  const document = await read(
    mail(
      part('text/plain; charset=utf-8', '안건은 다음과 같습니다.\r\n\r\n붙임을 보십시오.'),
      attached('plan.hwp', hwp),
      attached('photo.bin', Buffer.from('MZ program')),
    ),
  );
  expect(document).toMatchObject({
    format: 'eml',
    meta: { title: '회의 자료', author: '김하나 <hana@a.example>', created: '2026-01-05T00:00:00.000Z' },
    warnings: [{ code: 'attachment_not_read' }],
  });
  expect(brief(document.blocks)).toEqual([
    'h1 회의 자료',
    'p From: 김하나 <hana@a.example>\nTo: two@b.example, Three <three@b.example>\nDate: 2026-01-05T00:00:00.000Z',
    'p 안건은 다음과 같습니다.',
    'p 붙임을 보십시오.',
    'h1 plan.hwp',
    'p 붙임 문서의 글이다.',
    'h1 photo.bin',
  ]);
});

test('of a text in two forms the one with tables is read, and pictures in it are no attachments', async () => {
  const alternative = (...parts: string[]) =>
    `--b\r\nContent-Type: multipart/alternative; boundary="b"\r\n\r\n${parts.join('')}`;
  expect(alternative('')).toContain('alternative');
  const document = await read(
    mail(
      part('text/html; charset=euc-kr', '<table><tr><td>1</td><td>2</td></tr><tr><td>3</td><td>4</td></tr></table>'),
    ),
  );
  expect(brief(document.blocks).at(-1)).toBe('t p 1 | p 2 | p 3 | p 4');
});

test('a mail within a mail within a mail is read as deep as allowed', async () => {
  let bytes = mail(part('text/plain', 'innermost'));
  for (let depth = 0; depth < 5; depth++) bytes = mail(attached(`m${depth}.eml`, bytes, 'application/octet-stream'));
  const { warnings, blocks } = await read(bytes);
  expect(JSON.stringify(blocks)).not.toContain('innermost');
  expect(warnings).toMatchObject([{ code: 'attachment_not_read' }]);
});

test('notes of several attachments keep names of their own, and pages are not theirs', async () => {
  const note =
    '<text:p>글<text:note text:note-class="footnote"><text:note-citation>1</text:note-citation><text:note-body><text:p>주</text:p></text:note-body></text:note></text:p>';
  const odt = writeOdf({ kind: 'text', body: `<text:soft-page-break/>${note}` });
  const { blocks } = await read(mail(attached('a.odt', odt), attached('b.odt', odt)));
  expect(blocks.flatMap((block) => (block.type === 'footnote' ? [block.id] : []))).toEqual([
    'file-1-footnote-1',
    'file-2-footnote-1',
  ]);
  expect(blocks.every(({ page }) => page === null)).toBe(true);
});

test('a mail of Outlook, with its attachments', async () => {
  const bytes = writeMsg({
    subject: '제목',
    from: '김하나',
    to: '박둘',
    body: '본문이다.',
    files: { 'plan.hwp': hwp },
  });
  const document = await read(bytes);
  expect(document).toMatchObject({ format: 'msg', meta: { title: '제목', author: '김하나' } });
  expect(brief(document.blocks)).toEqual([
    'h1 제목',
    'p From: 김하나\nTo: 박둘',
    'p 본문이다.',
    'h1 plan.hwp',
    'p 붙임 문서의 글이다.',
  ]);
  const page = await read(writeMsg({ subject: 'x', html: '<p>HTML 본문</p>' }));
  expect(brief(page.blocks)).toEqual(['h1 x', 'p HTML 본문']);
});

test('of many attachments the first are read, and together they may hold no more than a package', async () => {
  const name = (at: number) => `${at}.txt`;
  const files = Object.fromEntries(Array.from({ length: 230 }, (_, at) => [name(at), Buffer.from(`글 ${at}`)]));
  const inner = Object.entries(files).map(([own, bytes]) => attached(own, bytes, 'text/plain'));
  for (const bytes of [writeMsg({ subject: 'x', files }), mail(...inner)]) {
    const { blocks, warnings } = await read(bytes);
    expect(brief(blocks.filter(({ type }) => type === 'heading')).at(-1)).toBe(`h1 ${name(199)}`);
    expect(warnings.at(-1)?.message).toBe('30 further attachments were left out.');
  }
  const limits = { ...standardLimits, inflatedBytes: 10_000 };
  const large = writeMsg({
    subject: 'x',
    files: { 'a.txt': Buffer.alloc(6_000, 97), 'b.txt': Buffer.alloc(6_000, 98) },
  });
  await expect(readDocument(large, null, { limits, pages: null, onPage: () => undefined })).rejects.toMatchObject({
    code: 'TOO_LARGE',
  });
});

test('mails within mails, and what is attached to them, share one budget', async () => {
  const text = (letters: number) => part('text/plain; charset=utf-8', `${'가'.repeat(60)}\r\n`.repeat(letters / 60));
  const letter = (...inner: Buffer[]) => mail(text(600), ...inner.map((bytes) => attached('mail.eml', bytes)));
  const limits = { ...standardLimits, characters: 2_000 };
  const options = { limits, pages: null, onPage: () => undefined };
  const letters = ({ blocks }: Awaited<ReturnType<typeof read>>) => JSON.stringify(blocks).split('가').length - 1;
  // Each of the seven is far below the limit; together they are above it.
  const nested = letter(letter(letter(), letter()), letter(letter(), letter()));
  const document = await readDocument(nested, null, options);
  expect(letters(await read(nested))).toBe(4_200);
  expect(letters(document)).toBe(1_800);
  expect(document.warnings.filter(({ code }) => code === 'attachment_not_read')).toHaveLength(2);
  const long = writeHwp({ sections: [[hwpParagraph('가나다라'.repeat(250))]] });
  const packages = mail(...[1, 2, 3].map(() => attached('a.hwp', long)));
  const unpacked = { ...standardLimits, inflatedBytes: 6_000 };
  const { warnings } = await readDocument(packages, null, { ...options, limits: unpacked });
  expect(warnings.map(({ message }) => message)).toEqual([
    expect.stringMatching(/^a\.hwp was not read: .*larg/) as string,
  ]);
});

test('files within files are counted together', async () => {
  const notes = Array.from({ length: 150 }, (_, at) => attached(`${at}.txt`, Buffer.from('글'), 'text/plain'));
  // Six letters and their notes are 906; of the seventh 93 notes are read, and the eighth is not opened.
  const letters = Array.from({ length: 8 }, () => attached('mail.eml', mail(...notes)));
  const { warnings } = await read(mail(...letters));
  expect(warnings.filter(({ message }) => message.includes('more than 1000 files'))).toHaveLength(58);
});

test('a book is its chapters in their order; one with a lock is refused', async () => {
  const document = await read(writeEpub({ 'b.xhtml': '<h1>첫째</h1><p>글이다.</p>', 'a.xhtml': '<h1>둘째</h1>' }));
  expect(document).toMatchObject({ format: 'epub', meta: { title: '책', author: '지은이' }, warnings: [] });
  expect(brief(document.blocks)).toEqual(['h1 첫째', 'p 글이다.', 'h1 둘째']);
  await expect(read(writeEpub({ 'a.xhtml': '<p>비밀</p>' }, { locked: true }))).rejects.toMatchObject({
    code: 'ENCRYPTED',
  });
});

test('a drawing that stands for a page of a book is read', async () => {
  const parts = epubParts({ 'a.xhtml': '<p>글이다.</p>', 'b.svg': '' }).map(([name, content, ...more]) => {
    const text = String(content).replace(
      'href="b.svg" media-type="application/xhtml+xml"',
      'href="b.svg" media-type="image/svg+xml"',
    );
    const drawing = '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"><text>그린 쪽</text></svg>';
    return [name, name.endsWith('b.svg') ? drawing : text, ...more] as const;
  });
  const { blocks, warnings } = await read(writeZip(parts));
  expect(blocks).toMatchObject([{ type: 'paragraph' }, { type: 'image', text: '그린 쪽' }]);
  expect(warnings).toEqual([]);
});

test('a text that only speaks of a mail is a text', async () => {
  const { format } = await read(Buffer.from('From: the beginning\nTo: the end\n\nA story.'));
  expect(format).toBe('text');
});

test('the chapters of a book count together, each once, and may have any name', async () => {
  const words = '가'.repeat(600);
  const [one, two] = [`<p>${words}</p>`, `<table><tr><td>${words}</td><td>나</td></tr></table>`];
  const limits = { ...standardLimits, characters: 1_000 };
  const book = writeEpub({ 'a.xhtml': one, 'b.xhtml': two });
  await expect(readDocument(book, null, { limits, pages: null, onPage: () => undefined })).rejects.toMatchObject({
    code: 'TOO_LARGE',
  });
  expect(brief((await read(writeEpub({ '50%.xhtml': '<p>절반</p>', './50%.xhtml': '<p>또</p>' }))).blocks)).toEqual([
    'p 절반',
  ]);
});
