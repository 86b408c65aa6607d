import { cell, docxParts, paragraph as wordParagraph, run, writeDocx, type DocxForm } from '../docx.ts';
import { writeZip } from '../zip.ts';
import { large, laughs, many, times, tryAll } from './attempt.ts';

const docx = (body: string, more: Partial<DocxForm> = {}) => writeDocx({ body, ...more });
const numbering = (format: string, pattern: string) => ({
  numbering: `<w:abstractNum w:abstractNumId="1">${times(9, (level) => `<w:lvl w:ilvl="${level}"><w:start w:val="2147483647"/><w:numFmt w:val="${format}"/><w:lvlText w:val="${pattern}"/></w:lvl>`)}</w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="1"/></w:num>`,
});
const numbered = wordParagraph('항목', '<w:numPr><w:ilvl w:val="8"/><w:numId w:val="1"/></w:numPr>');
const doctype = (declared: string, use: string) =>
  writeZip(
    docxParts({ body: wordParagraph(use) }).map(([name, content]) =>
      name === 'word/document.xml'
        ? [name, content.toString().replace('?>', `?><!DOCTYPE a [${declared}]>`)]
        : [name, content],
    ),
  );

tryAll('a.docx', [
  ['paragraphs beyond number', () => docx(wordParagraph('a').repeat(large(100_000))), ['read', 'TOO_LARGE']],
  ['entities within entities', () => doctype(`<!ENTITY l0 "ha">${laughs}`, '&l9;'), ['CORRUPTED']],
  ['entities of other files', () => doctype('<!ENTITY x SYSTEM "file:///etc/passwd">', '&x;'), ['CORRUPTED']],
  ['a bomb', () => docx(wordParagraph('가'.repeat(20_000_000))), ['TOO_LARGE']],
  [
    'many parts that are a bomb together',
    () =>
      docx('', {
        others: Object.fromEntries(
          many(60, (nth) => [`p${nth}`, ['header', `<a>${'가'.repeat(300_000)}</a>`] as const]),
        ),
      }),
    ['read', 'TOO_LARGE'],
  ],
  [
    'spans without end',
    () =>
      docx(
        `<w:tbl>${`<w:tr>${cell('a', '<w:gridSpan w:val="1000000000"/>')}${cell('b', '<w:gridSpan w:val="-5"/>')}</w:tr>`.repeat(100)}</w:tbl>`,
      ),
  ],
  [
    'rows of cells that go on for ever',
    () => docx(`<w:tbl>${`<w:tr>${cell('', '<w:vMerge/>').repeat(50)}</w:tr>`.repeat(large(3_000))}</w:tbl>`),
    ['read', 'TOO_LARGE'],
  ],
  ['a row of cells beyond number', () => docx(`<w:tbl><w:tr>${cell('a').repeat(large(100_000))}</w:tr></w:tbl>`)],
  [
    'tables within tables',
    () => docx('<w:tbl><w:tr><w:tc>'.repeat(80) + wordParagraph('a') + '</w:tc></w:tr></w:tbl>'.repeat(80)),
    ['read', 'TOO_LARGE'],
  ],
  ['elements without end', () => docx('<w:sdt>'.repeat(100_000)), ['TOO_LARGE']],
  [
    'a chain of twenty thousand styles',
    () =>
      docx(
        times(5_000, (nth) => wordParagraph('a', `<w:pStyle w:val="s${nth}"/>`)),
        {
          styles: times(
            20_000,
            (nth) =>
              `<w:style w:type="paragraph" w:styleId="s${nth}"><w:name w:val="s${nth}"/><w:basedOn w:val="s${(nth + 1) % 20_000}"/></w:style>`,
          ),
        },
      ),
  ],
  [
    'a note that refers to itself',
    () =>
      docx(wordParagraph('<w:r><w:footnoteReference w:id="1"/></w:r>'), {
        footnotes:
          '<w:footnote w:id="1"><w:p><w:r><w:t>x</w:t><w:footnoteReference w:id="1"/></w:r></w:p></w:footnote>',
      }),
  ],
  [
    'a long note that is referred to everywhere',
    () =>
      docx(`<w:p>${'<w:r><w:footnoteReference w:id="1"/></w:r>'.repeat(50_000)}</w:p>`, {
        footnotes: `<w:footnote w:id="1">${wordParagraph('a'.repeat(20_000))}</w:footnote>`,
      }),
    ['read', 'TOO_LARGE'],
  ],
  [
    'a header in every section',
    () =>
      docx(
        '<w:p><w:pPr><w:sectPr><w:headerReference w:type="default" r:id="header1"/></w:sectPr></w:pPr></w:p>'.repeat(
          10_000,
        ),
        { headers: { header1: wordParagraph('abc'.repeat(3_000)) } },
      ),
  ],
  [
    'fields without end',
    () =>
      docx(
        `<w:p>${'<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText>HYPERLINK "x"</w:instrText></w:r>'.repeat(20_000)}</w:p>`,
      ),
  ],
  [
    'formulas within formulas',
    () => docx(`<w:p><m:oMath>${'<m:f><m:num>'.repeat(100)}<m:r><m:t>x</m:t></m:r></m:oMath></w:p>`),
    ['read', 'TOO_LARGE'],
  ],
  ['numbers of letters', () => docx(numbered.repeat(100), numbering('upperLetter', '%1%2%3%9'))],
  ['Roman numbers', () => docx(numbered.repeat(100), numbering('lowerRoman', '%1%2%3%9'.repeat(20)))],
  ['a tag without end', () => docx(`<${'x'.repeat(2_000_000)}`), ['read', 'CORRUPTED', 'TOO_LARGE']],
  ['sections without end', () => docx('<w:sectPr '.repeat(200_000)), ['read', 'CORRUPTED', 'TOO_LARGE']],
  ['nothing but angles', () => docx('<'.repeat(300_000)), ['read', 'CORRUPTED']],
  ['a comment without end', () => docx(`<!--${'-'.repeat(1_000_000)}`), ['read', 'CORRUPTED']],
  ['attributes beyond number', () => docx(`<w:p ${times(large(200_000), (nth) => `a${nth}="b" `)}/>`)],
  ['relations that lead round', () => docx(run('a'), { others: { document: ['officeDocument', '<a/>'] } })],
]);
