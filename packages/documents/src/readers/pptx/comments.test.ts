import { expect, test } from 'vitest';
import { line, pptxParts, shape } from '../../../test/pptx.ts';
import { writeZip } from '../../../test/zip.ts';
import { standardLimits } from '../../reader.ts';
import { readPptx } from './index.ts';

test('comments of newer programs, with the answers to them', async () => {
  const p188 = 'xmlns:p188="http://schemas.microsoft.com/office/powerpoint/2018/8/main"';
  const a = 'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"';
  const body = (words: string) => `<p188:txBody><a:p><a:r><a:t>${words}</a:t></a:r></a:p></p188:txBody>`;
  const relations = 'ppt/slides/_rels/slide0.xml.rels';
  const parts = pptxParts([{ shapes: shape(line('제목')) }]).map((part) =>
    part[0] === relations
      ? ([
          relations,
          String(part[1]).replace(
            '</Relationships>',
            '<Relationship Id="c" Type="http://schemas.microsoft.com/office/2018/10/relationships/comments" Target="../comments/modernComment_1.xml"/></Relationships>',
          ),
        ] as const)
      : part,
  );
  const bytes = writeZip([
    ...parts,
    ['ppt/authors.xml', `<p188:authorLst ${p188}><p188:author id="{1}" name="김하나"/></p188:authorLst>`],
    [
      'ppt/comments/modernComment_1.xml',
      `<p188:cmLst ${p188} ${a}><p188:cm authorId="{1}"><p188:replyLst><p188:reply authorId="{2}">${body('그렇다')}</p188:reply></p188:replyLst>${body('맞는가?')}</p188:cm></p188:cmLst>`,
    ],
  ]);
  const { blocks } = await readPptx(bytes, { limits: standardLimits, pages: null, onPage: () => undefined });
  const words = (text: string) => [{ type: 'paragraph', page: 1, spans: [{ text }] }];
  expect(blocks.slice(1)).toMatchObject([
    { kind: 'comment', author: '김하나', blocks: words('맞는가?') },
    { kind: 'comment', blocks: words('그렇다') },
  ]);
});
