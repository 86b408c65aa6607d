import type { Block, Span } from '../../document.ts';
import { i32At, u16At, u32At, decodeUtf16 } from './bytes.ts';
import { recordTags } from './records.ts';
import type { ObjectPlace } from './places.ts';
import type { TreeRecord } from './records.ts';
import { placeWithin } from './session.ts';
import type { Item, Place, Session } from './session.ts';
import { append } from '../../package/append.ts';

/** What tables, pictures and shapes have in common. */
export interface ObjectFrame {
  /** Stands in the line like a letter. */
  readonly inline: boolean;
  /** The text goes on under it, not beside it. */
  readonly alone: boolean;
  /** From the upper edge of the paper or of the body; null where its place follows the text. Lengths are 1/7200 inch. */
  readonly top: number | null;
  /** `top` counts from the body. */
  readonly inBody: boolean;
  readonly place: ObjectPlace;
  readonly description: string;
}

/** What Hancom Office writes by itself as the description of an object. */
const automaticDescription =
  /^(?:그림|표|사각형|타원|선|호|다각형|곡선|묶음 개체|글맵시|수식|개체|OLE 개체|차트|동영상|그리기 개체)\s?입니다\.?$|^원본 그림의 (?:이름|크기):.*$|^사진 찍은 날짜:.*$|^프로그램 이름\s*:.*$|^(?:카메라|F-스톱|노출|ISO|색 대표|EXIF|색상|다운로드|프로필).*:.*$/u;

/** What the author wrote of a description. */
export const ownWords = (description: string): string =>
  description
    .split(/\r\n?|\n/u)
    .map((line) => line.trim())
    .filter((line) => line !== '' && !automaticDescription.test(line))
    .join('\n');

const RELATIVE_TO_PARAGRAPH = 2;
const WRAP_TOP_AND_BOTTOM = 1;

const alignmentOf = (bits: number): ObjectPlace['down']['align'] =>
  (['start', 'center', 'end'] as const)[bits & 7] ?? 'start';

/** Source: HWP 5.0 revision 1.3, tables 69 and 70. */
export const readFrame = (data: Uint8Array): ObjectFrame => {
  const properties = u32At(data, 4);
  const inline = (properties & 1) !== 0;
  const length = u16At(data, 44);
  const from = (properties >>> 3) & 3;
  return {
    inline,
    alone: inline || ((properties >>> 21) & 7) === WRAP_TOP_AND_BOTTOM,
    // What is placed from the foot of the page stands below all text.
    top:
      inline || from >= RELATIVE_TO_PARAGRAPH
        ? null
        : ((properties >>> 5) & 7) === 0
          ? i32At(data, 8)
          : Number.MAX_SAFE_INTEGER,
    inBody: from === 1,
    place: {
      inline,
      across: {
        from: (['paper', 'page', 'column', 'paragraph'] as const)[(properties >>> 8) & 3] ?? 'column',
        align: alignmentOf(properties >>> 10),
        offset: i32At(data, 12),
      },
      down: {
        from: (['paper', 'page'] as const)[from] ?? 'paragraph',
        align: alignmentOf(properties >>> 5),
        offset: i32At(data, 8),
      },
      width: i32At(data, 16),
      height: i32At(data, 20),
      margin: { left: u16At(data, 28), right: u16At(data, 30), top: u16At(data, 32), bottom: u16At(data, 34) },
    },
    description: ownWords(decodeUtf16(data, 46, 46 + length * 2)),
  };
};

/** How far below the top of the body an object stands; null where its place follows the text. */
export const topInBody = ({ top, inBody }: ObjectFrame, session: Session): number | null =>
  top === null || inBody ? top : top - session.tracker.bodyTop();

/** A list of paragraphs: its head, and the paragraphs that follow it. */
export interface ParagraphList {
  readonly head: Uint8Array;
  readonly records: readonly TreeRecord[];
}

/** Splits records into the lists of paragraphs that they hold. */
export const paragraphLists = (records: readonly TreeRecord[]): ParagraphList[] => {
  const lists: { head: Uint8Array; records: TreeRecord[] }[] = [];
  for (const record of records) {
    if (record.tag === recordTags.listHeader) lists.push({ head: record.data, records: [record] });
    else if (record.tag === recordTags.paraHeader) lists.at(-1)?.records.push(record);
  }
  return lists;
};

/** The words of a caption, and what else stands in it. */
export const readCaption = (
  list: ParagraphList | undefined,
  session: Session,
  place: Place,
): { readonly spans: readonly Span[]; readonly rest: readonly Block[] } => {
  if (list === undefined) return { spans: [], rest: [] };
  const items = session.list(list.records, placeWithin(place, 'caption', false));
  const spans: Span[] = [];
  for (const item of items)
    if (item.kind === 'text') {
      if (spans.length > 0) spans.push({ text: ' ' });
      if (item.mark !== null) spans.push({ text: `${item.mark.text} ` });
      append(spans, item.spans);
    }
  return { spans, rest: items.flatMap((item) => (item.kind === 'block' ? [item.block] : [])) };
};

/** The words of items, if they are no more than that and no longer than `most`. */
export const fewWords = (items: readonly Item[], most: number): readonly Span[] | null => {
  const [item] = items;
  if (items.length !== 1 || item?.kind !== 'text' || item.mark !== null) return null;
  return item.spans.reduce((sum, { text }) => sum + text.length, 0) <= most ? item.spans : null;
};
