import type { Block, Span } from '../../document.ts';
import { append } from '../../package/append.ts';
import { attributeOf, childOf, childrenOf, innerText, type XmlElement } from '../../package/xml.ts';
import { ownWords } from '../hwp/object.ts';
import type { ObjectPlace } from '../hwp/places.ts';
import { placeWithin, type Place } from '../hwp/session.ts';
import { integerOf } from './header.ts';
import type { Session } from './session.ts';

/** What tables, pictures and shapes have in common. */
export interface Frame {
  readonly inline: boolean;
  readonly alone: boolean;
  /** How far below the top of the body, 1/7200 inch; null where its place follows the text. */
  readonly top: number | null;
  readonly place: ObjectPlace;
  readonly description: string;
}

/** What is placed from the foot of the page stands below all text. */
function topOf(place: XmlElement | undefined, session: Session): number | null {
  const from = attributeOf(place, 'vertRelTo') ?? 'PARA';
  if (from !== 'PAPER' && from !== 'PAGE') return null;
  if ((attributeOf(place, 'vertAlign') ?? 'TOP') !== 'TOP') return Number.MAX_SAFE_INTEGER;
  // Offsets above the edge are written as numbers without a sign.
  const offset = integerOf(place, 'vertOffset') | 0;
  return from === 'PAGE' ? offset : offset - session.tracker.bodyTop();
}

const origins = { PAPER: 'paper', PAGE: 'page', COLUMN: 'column', PARA: 'paragraph' } as const;
const alignments = {
  TOP: 'start',
  LEFT: 'start',
  INSIDE: 'start',
  CENTER: 'center',
  BOTTOM: 'end',
  RIGHT: 'end',
  OUTSIDE: 'end',
} as const;

/** Wider margins than these 35 mm are none. */
const MAX_MARGIN_HWPUNIT = 10_000;

const choose = <T>(choices: Readonly<Record<string, T>>, name: string | undefined, usual: T): T =>
  (name !== undefined && Object.hasOwn(choices, name) ? choices[name] : undefined) ?? usual;

/** Margins that are not set are written as the largest number. */
const marginOf = (margin: XmlElement | undefined, side: string): number => {
  const value = integerOf(margin, side);
  return value > 0 && value < MAX_MARGIN_HWPUNIT ? value : 0;
};

function placeOf(element: XmlElement, place: XmlElement | undefined, inline: boolean): ObjectPlace {
  const size = childOf(element, 'hp:sz');
  const margin = childOf(element, 'hp:outMargin');
  const down = choose(origins, attributeOf(place, 'vertRelTo'), 'paragraph');
  return {
    inline,
    across: {
      from: choose(origins, attributeOf(place, 'horzRelTo'), 'column'),
      align: choose(alignments, attributeOf(place, 'horzAlign'), 'start'),
      // Offsets above or left of the edge are written as numbers without a sign.
      offset: integerOf(place, 'horzOffset') | 0,
    },
    down: {
      from: down === 'column' ? 'paragraph' : down,
      align: choose(alignments, attributeOf(place, 'vertAlign'), 'start'),
      offset: integerOf(place, 'vertOffset') | 0,
    },
    width: integerOf(size, 'width'),
    height: integerOf(size, 'height'),
    margin: {
      left: marginOf(margin, 'left'),
      right: marginOf(margin, 'right'),
      top: marginOf(margin, 'top'),
      bottom: marginOf(margin, 'bottom'),
    },
  };
}

export function readFrame(element: XmlElement, session: Session): Frame {
  const place = childOf(element, 'hp:pos');
  const inline = attributeOf(place, 'treatAsChar') === '1';
  return {
    inline,
    alone: inline || attributeOf(element, 'textWrap') === 'TOP_AND_BOTTOM',
    top: inline ? null : topOf(place, session),
    place: placeOf(element, place, inline),
    description: ownWords(innerText(childOf(element, 'hp:shapeComment'))),
  };
}

/** Paragraphs of the lists within an element; some programs write them without a list. */
export const paragraphsOf = (element: XmlElement | undefined): readonly XmlElement[] =>
  [...childrenOf(element)].flatMap((child) =>
    child.name === 'hp:p' ? [child] : child.name === 'hp:subList' ? [...childrenOf(child, 'hp:p')] : [],
  );

/** The words of a caption, and what else stands in it. */
export function readCaption(
  element: XmlElement,
  session: Session,
  place: Place,
): { readonly spans: readonly Span[]; readonly rest: readonly Block[] } {
  const items = session.list(paragraphsOf(childOf(element, 'hp:caption')), placeWithin(place, 'caption', false));
  const spans: Span[] = [];
  for (const item of items) {
    if (item.kind !== 'text') continue;
    if (spans.length > 0) spans.push({ text: ' ' });
    if (item.mark !== null) spans.push({ text: `${item.mark.text} ` });
    append(spans, item.spans);
  }
  return { spans, rest: items.flatMap((item) => (item.kind === 'block' ? [item.block] : [])) };
}
