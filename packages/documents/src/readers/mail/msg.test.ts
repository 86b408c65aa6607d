import { expect, test } from 'vitest';
import iconv from 'iconv-lite';
import { brief } from '../../../test/brief.ts';
import { type MsgForm, propertyTable, writeMsg } from '../../../test/mail.ts';
import { standardLimits } from '../../reader.ts';
import { readDocument } from '../index.ts';

const readBytes = (bytes: Uint8Array) =>
  readDocument(bytes, null, { limits: standardLimits, pages: null, onPage: () => undefined });
const read = (form: MsgForm) => readBytes(writeMsg(form));
const linesOf = async (form: MsgForm) => brief((await read(form)).blocks);

/** RTF that is not packed, in the frame of what is. */
function rtf(text: string): Buffer {
  const head = Buffer.alloc(16);
  head.writeUInt32LE(text.length, 4);
  head.write('MELA', 8, 'latin1');
  return Buffer.concat([head, Buffer.from(text, 'latin1')]);
}
const hex = (text: string, charset: string) =>
  [...iconv.encode(text, charset)].map((byte) => `\\'${byte.toString(16).padStart(2, '0')}`).join('');

test('the text of a mail is read from packed RTF', async () => {
  // The example of MS-OXRTFCP 3.1.
  const packed = '2d0000002b0000004c5a4675f1c5c7a703000a007263706731323542320af32068656c090020627705b06c647d0a800fa0';
  const document = await read({ subject: '제목', rtf: Buffer.from(packed, 'hex') });
  expect(brief(document.blocks)).toEqual(['h1 제목', 'p hello world']);
  expect(document.warnings).toEqual([]);
  const cut = Buffer.from(packed, 'hex').subarray(0, 40);
  expect(await linesOf({ subject: '제목', rtf: cut })).toEqual(['h1 제목', expect.stringMatching(/^p hel/) as string]);
});

test('the page that RTF wraps is read, and what only programs for RTF see is not', async () => {
  const page = `{\\rtf1\\ansi\\ansicpg949\\fromhtml1 \\deff0{\\fonttbl{\\f0\\fcharset129 Gulim;}{\\f1\\fcharset161 Arial;}}{\\colortbl;\\red0}
{\\*\\htmltag64 <p>}\\htmlrtf {\\htmlrtf0 ${hex('뷁은 ', 'cp949')}{\\f1 ${hex('Ω', 'cp1253')}}\\u-10179?\\u-8704?{\\*\\htmltag84 &amp;}\\htmlrtf &\\htmlrtf0 {\\*\\mhtmltag64 <p>}
{\\*\\htmltag72 </p>}\\htmlrtf \\par}\\htmlrtf0 {\\*\\htmltag64 <table><tr><td>}1{\\*\\htmltag64 </td><td>}2{\\*\\htmltag64 </td></tr></table>}}`;
  expect(await linesOf({ subject: '제목', body: '뷁은 Ω', rtf: rtf(page) })).toEqual([
    'h1 제목',
    'p 뷁은 Ω😀&',
    't p 1 | p 2',
  ]);
  const text = '{\\rtf1\\ansi\\fromtext{\\fonttbl{\\f0 Arial;}}\\f0 one\\par two\\{x\\}\\line {\\*\\other no}three}';
  expect(await linesOf({ subject: '제목', rtf: rtf(text) })).toEqual(['h1 제목', 'p one\ntwo{x}\nthree']);
});

test('RTF of its own is read with its tables, without fonts, pictures, names of fields and what is hidden', async () => {
  const text = `{\\rtf1\\ansi\\ansicpg1252{\\fonttbl{\\f0\\fcharset129 Batang;}}{\\stylesheet{Normal;}}{\\info{\\title no}}
\\pard\\f0 {\\b ${hex('안건', 'cp949')}}: <a> & b{\\f1 \\'85}{\\v secret}{\\pict 0a0b}\\bin3 }}}\\par
{\\field{\\*\\fldinst HYPERLINK "x"}{\\fldrslt link}}\\emdash end\\par
\\trowd\\intbl 1\\cell 2\\par 3\\cell\\row\\trowd\\intbl 4\\cell 5\\cell\\row\\pard last}`;
  expect(await linesOf({ subject: '제목', rtf: rtf(text) })).toEqual([
    'h1 제목',
    'p 안건: <a> & b…',
    'p link—end',
    't p 1 | p 2\n3 | p 4 | p 5',
    'p last',
  ]);
  const { warnings } = await read({ subject: '제목', rtf: rtf('no RTF at all') });
  expect(warnings).toMatchObject([{ code: 'text_not_read' }]);
});

test('mails that are attached are read with what is attached to them, as deep as allowed', async () => {
  const inner: MsgForm = {
    subject: '안의 제목',
    from: '박둘',
    body: '안의 글이다.',
    files: { 'a.txt': Buffer.from('붙임의 글이다.') },
  };
  const document = await read({ subject: '제목', body: '글이다.', mails: [inner] });
  expect(brief(document.blocks)).toEqual([
    'h1 제목',
    'p 글이다.',
    'h1 안의 제목',
    'h2 안의 제목',
    'p From: 박둘',
    'p 안의 글이다.',
    'h2 a.txt',
    'p 붙임의 글이다.',
  ]);
  expect(document.warnings).toEqual([]);
  let deep: MsgForm = { subject: 'x', body: 'innermost' };
  for (let depth = 0; depth < 5; depth++) deep = { subject: `m${depth}`, body: 'b', mails: [deep] };
  const { blocks, warnings } = await read(deep);
  expect(JSON.stringify(blocks)).not.toContain('innermost');
  expect(warnings).toMatchObject([{ code: 'attachment_not_read' }]);
  const object = { '__attach_version1.0_#00000000/__substg1.0_3701000D/CONTENTS': Buffer.from('x') };
  expect((await read({ subject: '제목', body: '글', streams: object })).warnings).toMatchObject([
    { code: 'attachment_not_read', message: 'attachment-1 was not read: it is an object of another program.' },
  ]);
});

test('texts that are not in Unicode are in the charset of the mail, and so are its pages', async () => {
  const narrow = (charset: string) => ({
    '__substg1.0_0037001E': iconv.encode('제목이다', charset),
    '__substg1.0_1000001E': iconv.encode('본문의 글이다', charset),
    '__recip_version1.0_#00000000/__substg1.0_3001001E': iconv.encode('김', charset),
    '__recip_version1.0_#00000000/__substg1.0_39FE001E': Buffer.from('kim@a.example'),
    '__recip_version1.0_#00000000/__properties_version1.0': propertyTable(8, { 0x0c150003: 1 }),
  });
  const lines = ['h1 제목이다', 'p To: 김 <kim@a.example>', 'p 본문의 글이다'];
  expect(await linesOf({ streams: narrow('cp949'), numbers: { 0x3ffd0003: 949 } })).toEqual(lines);
  expect(await linesOf({ streams: narrow('cp949'), numbers: { 0x3ff10003: 0x0412 } })).toEqual(lines);
  // It says that it is in western letters.
  expect(await linesOf({ streams: narrow('utf-8'), numbers: { 0x3ffd0003: 1252 } })).toEqual(lines);
  const page = { '__substg1.0_10130102': iconv.encode('<p>한글 쪽</p>', 'cp949') };
  expect(await linesOf({ subject: 'x', streams: page, numbers: { 0x3fde0003: 51_949 } })).toEqual([
    'h1 x',
    'p 한글 쪽',
  ]);
  const wrong = { '__substg1.0_10130102': iconv.encode('<meta charset="utf-8"><p>한글 쪽</p>', 'cp949') };
  expect(await linesOf({ subject: 'x', streams: wrong, numbers: { 0x3fde0003: 949 } })).toEqual(['h1 x', 'p 한글 쪽']);
});

test('a page is read rather than its plain text, and pictures that it shows are no attachments', async () => {
  const picture = (id: string) => ({
    [`__attach_version1.0_#0000000${id}/__substg1.0_3712001F`]: Buffer.from(`p${id}@a`, 'utf16le'),
    [`__attach_version1.0_#0000000${id}/__substg1.0_370E001F`]: Buffer.from('image/png', 'utf16le'),
    [`__attach_version1.0_#0000000${id}/__substg1.0_37010102`]: Buffer.from('no picture'),
  });
  const document = await read({
    subject: '제목',
    body: '1 2 3 4',
    html: '<table><tr><td>1</td><td>2</td></tr><tr><td>3</td><td>4</td></tr></table><img src="cid:p0@a">',
    streams: { ...picture('0'), ...picture('1') },
  });
  expect(brief(document.blocks)).toEqual(['h1 제목', 't p 1 | p 2 | p 3 | p 4', 'h1 attachment-1', 'p no picture']);
});

test('what an appointment says beside its text is read', async () => {
  const names = Buffer.alloc(16);
  names.writeUInt32LE(0x8208, 0);
  names.writeUInt16LE(3, 6);
  const document = await read({
    subject: '회의',
    streams: {
      '__substg1.0_001A001F': Buffer.from('IPM.Appointment', 'utf16le'),
      '__nameid_version1.0/__substg1.0_00030102': names,
      '__substg1.0_8003001F': Buffer.from('3층 회의실', 'utf16le'),
    },
  });
  expect(brief(document.blocks)).toEqual(['h1 회의', 'p Location: 3층 회의실']);
});
