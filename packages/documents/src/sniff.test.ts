import { expect, test } from 'vitest';
import fc from 'fast-check';
import { ParseError } from './parse-error.ts';
import { writeCompound } from '../test/hwp-writer/index.ts';
import { sniffFormat } from './sniff.ts';

const text = (content: string) => Buffer.from(content);

/** The directory of a package without its parts: enough to tell what it is. */
function packageOf(...names: readonly string[]): Buffer {
  const local = names.map((name) => {
    const head = Buffer.alloc(30);
    head.write('PK\x03\x04', 'latin1');
    head.writeUInt16LE(Buffer.byteLength(name), 26);
    return Buffer.concat([head, Buffer.from(name)]);
  });
  const directory = names.map((name) => {
    const head = Buffer.alloc(46);
    head.write('PK\x01\x02', 'latin1');
    head.writeUInt16LE(Buffer.byteLength(name), 28);
    return Buffer.concat([head, Buffer.from(name)]);
  });
  const body = Buffer.concat(local);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt32LE(body.length, 16);
  return Buffer.concat([body, ...directory, end]);
}

const compound = (stream: string) =>
  Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(64), Buffer.from(stream, 'utf16le')]);

test.each([
  ['a PDF behind a few bytes', Buffer.concat([text('\n\n'), text('%PDF-1.7\n')]), 'pdf'],
  ['HWP 5', compound('FileHeader'), 'hwp'],
  ['an old Excel file', writeCompound({ Workbook: Buffer.alloc(9), 'MBD1/WordDocument': Buffer.alloc(9) }), 'xls'],
  [
    'an old Word file',
    writeCompound({ WordDocument: Buffer.alloc(9), 'ObjectPool/1/Workbook': Buffer.alloc(9) }),
    'doc',
  ],
  ['an old PowerPoint file', writeCompound({ 'PowerPoint Document': Buffer.alloc(9) }), 'ppt'],
  ['an Excel file of another program', writeCompound({ BOOK: Buffer.alloc(9) }), 'xls'],
  ['DOCX', packageOf('[Content_Types].xml', 'word/document.xml'), 'docx'],
  [
    'a book',
    Buffer.concat([Buffer.from('504b0304', 'hex'), Buffer.alloc(26), text('mimetypeapplication/epub+zip')]),
    'epub',
  ],
  ['an Outlook message with an HWP file in it', compound('__substg1.0_0037001F FileHeader'), 'msg'],
  ['a mail', text('Received: from a\r\nFrom: a@b\r\nSubject: x\r\nDate: y\r\n\r\ntext'), 'eml'],
  ['OpenDocument whose type is packed', packageOf('META-INF/manifest.xml', 'content.xml'), 'odt'],
  ['PPTX with a sheet in it', packageOf('ppt/presentation.xml', 'ppt/embeddings/xl.xlsx'), 'pptx'],
  ['XLSX', packageOf('xl/workbook.xml'), 'xlsx'],
  ['XLSX in folders of its own', packageOf('[Content_Types].xml', 'own/workbook.xml', 'own/sheet.xml'), 'xlsx'],
  ['HWPX', packageOf('mimetype', 'Contents/content.hpf', 'Contents/section0.xml'), 'hwpx'],
  ['RTF', text('{\\rtf1\\ansi 글}'), 'rtf'],
  ['HTML', text('<!-- x -->\n<!DOCTYPE html><p>x'), 'html'],
  ['a text that begins like a picture', text('BMW is a company.'), 'text'],
  ['a picture', Buffer.from('89504e470d0a1a0a', 'hex'), 'image'],
  ['plain text', text('안녕하세요\n'), 'text'],
] as const)('%s', (_name, bytes, format) => {
  expect(sniffFormat(bytes, 'wrong.name')).toBe(format);
});

test.each([
  ['a.csv', 'csv'],
  ['a.TSV', 'csv'],
  ['a.md', 'markdown'],
  ['a.htm', 'html'],
  ['a.txt', 'text'],
] as const)('the name %s tells text formats apart', (name, format) => {
  expect(sniffFormat(text('a,b\n1,2\n'), name)).toBe(format);
});

test.each([
  ['an empty file', Buffer.alloc(0), 'CORRUPTED', /empty/],
  ['a protected Office file', compound('EncryptedPackage'), 'ENCRYPTED', /password/],
  ['a HEIC picture', text('\0\0\0\u0018ftypheic'), 'UNSUPPORTED', /JPEG or PNG/],
  ['HWP 2', text('HWP Document File V2.10'), 'UNSUPPORTED', /HWP 5/],
  ['an Office file that was cut', packageOf('[Content_Types].xml', '_rels/.rels'), 'CORRUPTED', /damaged/],
  ['a package that was cut', Buffer.from('504b030414000000', 'hex'), 'CORRUPTED', /damaged/],
  ['an empty archive', Buffer.from('504b0506'.padEnd(44, '0'), 'hex'), 'UNSUPPORTED', /Unpack/],
  ['an archive', packageOf('a.txt', 'b.pdf'), 'UNSUPPORTED', /Unpack/],
  [
    'an OpenDocument drawing',
    Buffer.concat([
      Buffer.from('504b0304', 'hex'),
      Buffer.alloc(26),
      text('mimetypeapplication/vnd.oasis.opendocument.graphics'),
    ]),
    'UNSUPPORTED',
    /PDF/,
  ],
  ['a compound file of nobody', compound('Contents'), 'UNSUPPORTED', /PDF/],
  ['a packed archive', Buffer.from('1f8b0800', 'hex'), 'UNSUPPORTED', /Unpack/],
  ['sound', text('ID3\u0004'), 'UNSUPPORTED', /speech/],
  ['a program', Buffer.from('4d5a9000', 'hex'), 'UNSUPPORTED', /program/],
  ['noise', Buffer.from(Array.from({ length: 512 }, (_, at) => at % 32)), 'UNSUPPORTED', /not known/],
] as const)('%s is refused with advice', (_name, bytes, code, message) => {
  const look = () => sniffFormat(bytes, 'a.pdf');
  expect(look).toThrow(expect.objectContaining({ code }));
  expect(look).toThrow(message);
});

test('a page behind any number of comments is a page, whatever follows them', () => {
  const comments = '<!-- -->'.repeat(240);
  expect(sniffFormat(text(`${comments}<html>`))).toBe('html');
  expect(sniffFormat(text(`<?xml version="1.0"?>${comments}<!DOCTYPE html>`))).toBe('html');
  // A pattern that may part the comments in many ways would try them all.
  expect(sniffFormat(text(`${comments}x`))).toBe('text');
  expect(sniffFormat(text('<!--'))).toBe('text');
});

test('any bytes are something or are refused', () => {
  const heads = ['PK\x03\x04', 'PK\x05\x06', '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1', '%PDF-', '<html', ''];
  fc.assert(
    fc.property(fc.constantFrom(...heads), fc.uint8Array({ maxLength: 200 }), (head, rest) => {
      try {
        // In memory of its own: what is read past the end of the file must not be there by chance.
        sniffFormat(Uint8Array.from([...Buffer.from(head, 'latin1'), ...rest]));
      } catch (error) {
        expect(error).toBeInstanceOf(ParseError);
      }
    }),
  );
});
