import { describe, expect, test } from 'vitest';
import iconv from 'iconv-lite';
import { brief } from '../../../test/brief.ts';
import { standardLimits } from '../../reader.ts';
import { readDocument } from '../index.ts';

const read = (bytes: Uint8Array, name: string | null = null) =>
  readDocument(bytes, name, { limits: standardLimits, pages: null, onPage: () => undefined });
const cp949 = (text: string) => iconv.encode(text, 'cp949');
/** Lines of a mail; bytes stand as they are. */
const mail = (...lines: (string | Uint8Array)[]) =>
  Buffer.concat(lines.map((line) => Buffer.concat([Buffer.from(line), Buffer.from('\r\n')])));
const raw = (text: string) => Buffer.concat([Buffer.from('Subject: '), cp949(text)]);
const head = ['From: a@a.example', 'To: b@b.example', 'Date: Mon, 5 Jan 2026 09:00:00 +0900'];
const word = (text: string, charset = 'ks_c_5601-1987') => `=?${charset}?B?${cp949(text).toString('base64')}?=`;
const linesOf = async (bytes: Uint8Array) =>
  brief((await read(bytes)).blocks).filter((line) => !line.startsWith('p From:'));

test('all Hangul of Korean charsets is read, in texts, subjects, addresses and names of files', async () => {
  const text = '뷁, 똠방각하와 펲시를 본다.';
  const bytes = mail(
    `From: "${word('똠방')}" <a@a.example>`,
    ...head.slice(1),
    // A letter that begins in one word and ends in the next.
    `Subject: =?euc-kr?B?${cp949('뷁 제목').subarray(0, 4).toString('base64')}?=`,
    ` =?euc-kr?B?${cp949('뷁 제목').subarray(4).toString('base64')}?=`,
    'Content-Type: multipart/mixed; boundary="b"',
    '',
    '--b',
    'Content-Type: text/html; charset="ks_c_5601-1987"',
    'Content-Transfer-Encoding: 8bit',
    '',
    cp949(`<p>${text}</p>`),
    '--b',
    `Content-Type: text/plain; charset=euc-kr; name="${word('펲.txt', 'euc-kr')}"`,
    `Content-Disposition: attachment; filename*0*=euc-kr''%94; filename*1*=%${cp949('뷁')[1]?.toString(16) ?? ''}.txt`,
    '',
    cp949('붙임에도 똠방각하가 있다.'),
    '--b',
    'Content-Type: text/plain',
    Buffer.concat([Buffer.from('Content-Disposition: attachment; filename="'), cp949('펲시.txt'), Buffer.from('"')]),
    '',
    cp949('이름이 그대로 적혀 있다.'),
    '--b--',
  );
  const { blocks, meta, warnings } = await read(bytes);
  expect(meta).toMatchObject({ title: '뷁 제목', author: '똠방 <a@a.example>' });
  expect(brief(blocks).slice(2)).toEqual([
    `p ${text}`,
    'h1 뷁.txt',
    'p 붙임에도 똠방각하가 있다.',
    'h1 펲시.txt',
    'p 이름이 그대로 적혀 있다.',
  ]);
  expect(warnings).toEqual([]);
});

test('texts in a charset that the mail does not name, or names wrongly, are read', async () => {
  const korean = '한글로 쓴 편지의 본문입니다.';
  const wanted = ['h1 그대로 적은 제목', `p ${korean}`];
  expect(await linesOf(mail(...head, raw('그대로 적은 제목'), '', cp949(korean)))).toEqual(wanted);
  const wrong = 'Content-Type: text/plain; charset=utf-8';
  expect(await linesOf(mail(...head, raw('그대로 적은 제목'), wrong, '', cp949(korean)))).toEqual(wanted);
  const reversed = 'Content-Type: text/plain; charset=euc-kr';
  expect(await linesOf(mail(...head, 'Subject: 그대로 적은 제목', reversed, '', korean))).toEqual(wanted);
  const latin = iconv.encode('Subject: Müller und die Frösche', 'latin1');
  expect(await linesOf(mail(...head, latin, '', 'x'))).toEqual(['h1 Müller und die Frösche', 'p x']);
});

test('a subject goes on in lines that were folded without a blank', async () => {
  const words = ['회의', ' 자료'].map((text) => `=?utf-8?B?${Buffer.from(text).toString('base64')}?=`);
  expect(await linesOf(mail(...head, `Subject: ${words[0] ?? ''}`, words[1] ?? '', '', 'x'))).toEqual([
    'h1 회의 자료',
    'p x',
  ]);
});

test('Korean in seven bits is read', async () => {
  const shifted = (text: string) =>
    Buffer.concat([Buffer.of(14), Buffer.from(cp949(text).map((byte) => byte & 0x7f)), Buffer.of(15)]);
  const start = Buffer.from('\x1b$)C', 'latin1');
  const subject = `Subject: =?iso-2022-kr?B?${Buffer.concat([start, shifted('한글')]).toString('base64')}?=`;
  const type = 'Content-Type: text/plain; charset=iso-2022-kr';
  const text = Buffer.concat([
    start,
    Buffer.from('\r\n'),
    shifted('편지의 본문'.replaceAll(' ', '')),
    Buffer.from(' end.'),
  ]);
  expect(await linesOf(mail(...head, subject, type, '', text))).toEqual(['h1 한글', 'p 편지의본문 end.']);
});

test('mails within mails are files of their own, in the order of the mail', async () => {
  const inner = [...head, 'Subject: inner', '', 'The inner text.'];
  const bytes = mail(
    ...head,
    'Subject: outer',
    'Content-Type: multipart/mixed; boundary="b"',
    '',
    '--b',
    'Content-Type: message/rfc822',
    '',
    ...inner,
    '--b',
    'Content-Type: text/plain',
    '',
    'The outer text.',
    '--b--',
  );
  expect(await linesOf(bytes)).toEqual([
    'h1 outer',
    'p The outer text.',
    'h1 message-1.eml',
    'h2 inner',
    'p The inner text.',
  ]);
});

test('texts with names beside a page are files, and what older programs pack as lines is unpacked', async () => {
  const bytes = mail(
    ...head,
    'Subject: x',
    'Content-Type: multipart/related; boundary="b"',
    '',
    '--b',
    'Content-Type: text/html',
    '',
    '<p>The page.</p>',
    '--b',
    'Content-Type: text/plain; name="a.txt"',
    'Content-Disposition: inline',
    '',
    'The first file.',
    '--b',
    'Content-Type: text/plain; name="b.txt"',
    'Content-Disposition: attachment; filename="b.txt"',
    'Content-Transfer-Encoding: x-uuencode',
    '',
    'begin 644 b.txt',
    '05&AE(\'-E8V]N9"!F:6QE+@``',
    '`',
    'end',
    '--b--',
  );
  expect(await linesOf(bytes)).toEqual([
    'h1 x',
    'p The page.',
    'h1 a.txt',
    'p The first file.',
    'h1 b.txt',
    'p The second file.',
  ]);
});

test('a file named as a mail is one by few fields, also where it was saved as UTF-16', async () => {
  const text = 'Subject: 제목\r\n\r\n본문이다.';
  const utf16 = Buffer.from(`Subject: x\r\nFrom: a@a.example\r\nTo: b@b.example\r\n\r\n본문이다.`, 'utf16le');
  const western = Buffer.from('Subject: x\nFrom: a@a.example\n\nthe text', 'utf16le').swap16();
  expect(brief((await read(western, 'a.eml')).blocks)).toEqual(['h1 x', 'p From: a@a.example', 'p the text']);
  expect(brief((await read(Buffer.from(text), 'a.eml')).blocks)).toEqual(['h1 제목', 'p 본문이다.']);
  expect((await read(Buffer.from(text), 'a.txt')).format).toBe('text');
  expect(brief((await read(utf16, 'a.eml')).blocks)).toEqual([
    'h1 x',
    'p From: a@a.example\nTo: b@b.example',
    'p 본문이다.',
  ]);
});

test('what Exchange packs into winmail.dat is read: its files, and its text where the mail has none', async () => {
  const attribute = (id: number, data: Uint8Array) => {
    const start = Buffer.alloc(9);
    start.writeUInt8(1, 0);
    start.writeUInt32LE(id, 1);
    start.writeUInt32LE(data.length, 5);
    return Buffer.concat([start, data, Buffer.alloc(2)]);
  };
  const u32 = (value: number) => Buffer.from(Uint32Array.of(value).buffer);
  const name = Buffer.from('보고서.txt\0', 'utf16le');
  // A number, then the long name of the file.
  const properties = Buffer.concat([
    u32(2),
    u32(0x37050003),
    u32(1),
    u32(0x3707001f),
    u32(1),
    u32(name.length),
    name,
    Buffer.alloc((4 - (name.length % 4)) % 4),
  ]);
  const packed = Buffer.concat([
    u32(0x223e9f78),
    Buffer.alloc(2),
    attribute(0x0002800c, Buffer.from('The packed text.')),
    attribute(0x00069002, Buffer.alloc(14)),
    attribute(0x00018010, Buffer.from('REPORT~1.TXT')),
    attribute(0x0006800f, Buffer.from('붙임의 글이다.')),
    attribute(0x00069005, properties),
  ]);
  const bytes = (text: string) =>
    mail(
      ...head,
      'Subject: x',
      'Content-Type: multipart/mixed; boundary="b"',
      '',
      '--b',
      'Content-Type: text/plain',
      '',
      text,
      '--b',
      'Content-Type: application/ms-tnef; name="winmail.dat"',
      'Content-Transfer-Encoding: base64',
      '',
      packed.toString('base64'),
      '--b--',
    );
  const files = ['h1 보고서.txt', 'p 붙임의 글이다.'];
  expect(await linesOf(bytes('The text.'))).toEqual(['h1 x', 'p The text.', ...files]);
  expect(await linesOf(bytes(''))).toEqual(['h1 x', 'p The packed text.', ...files]);
});

describe('a mailbox', () => {
  const from = (day: number) => `From a@a.example Mon Jan ${day} 09:00:00 2026`;
  const letter = (subject: string, ...lines: string[]) => [
    'From: a@a.example',
    `Subject: ${subject}`,
    '',
    ...lines,
    '',
  ];

  test('is read mail by mail, in their order, with what is attached to each', async () => {
    const attached = [
      'From: a@a.example',
      'Subject: second',
      'Content-Type: multipart/mixed; boundary="b"',
      '',
      '--b',
      'Content-Type: text/plain',
      '',
      'See the file.',
      '--b',
      'Content-Type: text/plain; name="a.txt"',
      'Content-Disposition: attachment; filename="a.txt"',
      '',
      'within',
      '--b--',
      '',
    ];
    const bytes = mail(from(5), ...letter('first', 'one'), from(6), ...attached, from(7), ...letter('third', 'three'));
    expect(await linesOf(bytes)).toEqual([
      'h1 first',
      'p one',
      'h1 second',
      'p See the file.',
      'h1 a.txt',
      'p within',
      'h1 third',
      'p three',
    ]);
  });

  test('has sentences that begin like a mail, and lines with a sign before them', async () => {
    const lines = [
      'From here on it is 2026',
      'and more.',
      '',
      'From then on, in 2026',
      'nothing.',
      '',
      `>${from(9)}`,
      '>>From me',
    ];
    const bytes = mail(from(5), ...letter('first', ...lines), from(6), ...letter('second', 'two'));
    expect((await linesOf(bytes)).join('\n')).toBe(
      `h1 first\np From here on it is 2026\nand more.\np From then on, in 2026\nnothing.\np ${from(9)}\n>From me\nh1 second\np two`,
    );
  });

  test('of one mail is that mail, whatever fields it has', async () => {
    expect(await linesOf(mail(from(5), 'X-Note: a', '', 'one'))).toEqual(['p one']);
  });
});
