import { expect, test } from 'vitest';
import { type PdfPage, PdfWriter, textWidth } from '../../../test/pdf.ts';
import { renderText } from '../../render/text.ts';
import { standardLimits } from '../../reader.ts';
import { readPdf } from './index.ts';

/** A line of words, its letters so far from each other, as justified lines of a few long words are. */
function stretch(
  page: PdfPage,
  y: number,
  words: readonly string[],
  { letters, blank }: { letters: number; blank: number },
) {
  let x = 56;
  for (const word of words) {
    page.text(x, y, word, { spacing: letters });
    x += textWidth(word) + word.length * letters + blank;
  }
}

const read = async (words: readonly string[], gaps: { letters: number; blank: number }) => {
  const pdf = new PdfWriter();
  const page = pdf.page();
  stretch(page, 300, words, gaps);
  const { blocks } = await readPdf(pdf.bytes(), { limits: standardLimits, pages: null, onPage: () => undefined });
  return renderText(blocks);
};

test.each([
  [['제품', '또는', '시스템의', '성능과', '기능을', '확인하기'], 1.9, 6.5],
  [['제품', '또는', '시스템의', '성능과', '기능을', '확인하기'], 1.1, 5],
  [['구현에서는', 'GUI', '정보를', '수집하고'], 3.2, 8],
  [['코드', '공유', '도구', '통해'], 0, 5],
  [['가나다라마바사아자차'], 1.9, 0],
])(
  'the words of %j are kept with %f points between letters and %f more between words',
  async (words, letters, blank) => {
    expect(await read(words, { letters, blank })).toBe(words.join(' '));
  },
);
