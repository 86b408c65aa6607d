import { type Block, type Box, type FormField, type Span, textOf } from '../document.ts';
import { formFieldsOf } from '../render/form-fields.ts';
import { blockText, itemText } from '../render/text.ts';
import { labelKey } from './labels.ts';

/** A box to tick in a line. */
export interface Mark {
  readonly isTicked: boolean;
  /** Where its sign begins and ends in the line. */
  readonly from: number;
  readonly to: number;
  /** Words of the field itself, where the file has them. */
  readonly label?: string;
  /** What the file calls it; of radio buttons the name of their group. */
  readonly name?: string;
  readonly box?: Box;
}

/** A line of a document with its boxes to tick. */
export interface MarkedLine {
  readonly text: string;
  readonly marks: readonly Mark[];
}

const boxLetter = /[☐☑☒□■🗹]/u;
const boxLetters = /[☐☑☒□■🗹]/gu;
const isTick = ({ kind }: FormField) => kind === 'checkbox' || kind === 'radio';

function fieldMarks(spans: readonly Span[]): Mark[] {
  const marks: Mark[] = [];
  let from = 0;
  for (const { text, field } of spans) {
    if (field !== undefined && isTick(field)) {
      const { label, name, checked, box } = field;
      marks.push({
        isTicked: checked === true,
        from,
        to: from + text.length,
        ...(label === undefined ? {} : { label }),
        ...(name === undefined ? {} : { name }),
        ...(box === undefined ? {} : { box }),
      });
    }
    from += text.length;
  }
  return marks;
}

/** Boxes that are letters of the text; squares that are bullets are none. */
function typedMarks(spans: readonly Span[], text: string): Mark[] {
  if (!boxLetter.test(text)) return [];
  const fields = formFieldsOf({ type: 'paragraph', page: null, spans });
  if (fields.length === 0) return [];
  return [...text.matchAll(boxLetters)]
    .slice(0, fields.length)
    .map(({ 0: { length }, index: from }, at) => ({ isTicked: fields[at]?.checked === true, from, to: from + length }));
}

/** The lines of spans that are shown as this text, with `marks` moved to where they stand in their line. */
function linesOf(text: string, marks: readonly Mark[]): MarkedLine[] {
  let begin = 0;
  let next = 0;
  return text.split('\n').map((line) => {
    const end = begin + line.length;
    const own: Mark[] = [];
    for (let mark = marks[next]; mark !== undefined && mark.from <= end; mark = marks[++next])
      own.push({ ...mark, from: mark.from - begin, to: Math.min(mark.to - begin, line.length) });
    begin = end + 1;
    return { text: line, marks: own };
  });
}

function spanLines(spans: readonly Span[]): MarkedLine[] {
  const text = textOf(spans);
  return linesOf(text, spans.some(({ field }) => field !== undefined) ? fieldMarks(spans) : typedMarks(spans, text));
}

/** Lines of a block with the boxes to tick in them; a table has lines in its cells alone. */
export function markedLines(block: Block): readonly MarkedLine[] {
  switch (block.type) {
    case 'heading':
    case 'paragraph':
      return spanLines(block.spans);
    case 'list':
      return block.items.flatMap((item) => {
        if (item.checked === undefined && !/^[☐☑☒]$/u.test(item.marker)) {
          const lines = spanLines(item.spans);
          return lines.some(({ marks }) => marks.length > 0) ? lines : [{ text: itemText(item), marks: [] }];
        }
        const isTicked = item.checked ?? item.marker !== '☐';
        const label = textOf(item.spans);
        return [{ text: `☐${label}`, marks: [{ isTicked, from: 0, to: 1, label }] }];
      });
    case 'footnote':
    case 'header':
    case 'footer':
      return block.blocks.flatMap(markedLines);
    case 'table':
      return [];
    default:
      return linesOf(blockText(block), []);
  }
}

/** Words of which something is left without punctuation. */
export const hasLetters = (text: string): boolean => labelKey(text) !== '';
