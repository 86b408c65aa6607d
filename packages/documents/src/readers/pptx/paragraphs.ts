import type { Span } from '../../document.ts';
import type { Line } from '../../package/flow-items.ts';
import { append } from '../../package/append.ts';
import { latexOf } from '../../package/omml.ts';
import type { Relations } from '../../package/relations.ts';
import { type XmlElement, attributeOf, childOf, childrenOf, innerText } from '../../package/xml.ts';

/** Styles of lists that hold for a shape, the nearest first: its own, those of its layout and master. */
export type ListStyles = readonly (XmlElement | undefined)[];

export interface TextPlace {
  readonly page: number;
  readonly source: string;
  readonly relations: Relations;
  readonly hidden: boolean;
  /** Makes lists of different shapes differ. */
  readonly list: string;
}

const alphabets: Readonly<Record<string, (value: number) => string>> = {
  arabic: String,
  alphaLc: (value) => String.fromCharCode(97 + ((value - 1) % 26)),
  alphaUc: (value) => String.fromCharCode(65 + ((value - 1) % 26)),
  romanLc: (value) => roman(value).toLowerCase(),
  romanUc: (value) => roman(value),
  circleNum: (value) => (value >= 1 && value <= 20 ? String.fromCodePoint(0x245f + value) : String(value)),
  ea1Chs: String,
};

const romanParts = [
  [10, 'X'],
  [9, 'IX'],
  [5, 'V'],
  [4, 'IV'],
  [1, 'I'],
] as const;
function roman(value: number): string {
  let [left, text] = [Math.min(value, 1_000), ''];
  for (const [size, letters] of romanParts) for (; left >= size; left -= size) text += letters;
  return text;
}

/** The mark of a numbered paragraph. Source: ECMA-376 part 1, 20.1.10.61. */
function numberMark(type: string, value: number): string {
  const found = /^(arabic|alphaLc|alphaUc|romanLc|romanUc|circleNum)/.exec(type)?.[1] ?? 'arabic';
  const text = (alphabets[found] ?? String)(value);
  if (type.endsWith('ParenBoth')) return `(${text})`;
  if (type.endsWith('ParenR')) return `${text})`;
  return found === 'circleNum' || type.endsWith('Plain') ? text : `${text}.`;
}

const bulletNames = ['a:buNone', 'a:buChar', 'a:buAutoNum', 'a:buBlip'];
/** What stands before a paragraph: by itself, or by the nearest style that says so. */
function bulletOf(properties: XmlElement | undefined, level: number, styles: ListStyles): XmlElement | undefined {
  for (const from of [properties, ...styles.map((style) => childOf(style, `a:lvl${level + 1}pPr`))])
    for (const child of childrenOf(from)) if (bulletNames.includes(child.name)) return child;
  return undefined;
}

function looksOf(properties: XmlElement | undefined, relations: Relations): Omit<Span, 'text'> {
  const on = (name: string) => ['1', 'true'].includes(attributeOf(properties, name) ?? '0');
  const strike = attributeOf(properties, 'strike') ?? 'noStrike';
  const baseline = Number(attributeOf(properties, 'baseline') ?? 0);
  const link = relations.get(attributeOf(childOf(properties, 'a:hlinkClick'), 'r:id') ?? '');
  return {
    ...(on('b') ? { bold: true } : {}),
    ...(on('i') ? { italic: true } : {}),
    ...(strike === 'noStrike' ? {} : { strike: true }),
    ...(baseline > 0 ? { script: 'super' as const } : {}),
    ...(baseline < 0 ? { script: 'sub' as const } : {}),
    ...(link?.external ? { link: link.target } : {}),
  };
}

/** Formulas within an element, which stands around them under a name of its own. */
function mathOf(element: XmlElement | undefined): Span[] {
  return [...childrenOf(element)].flatMap((child): Span[] => {
    if (child.name !== 'm:oMath') return mathOf(child);
    const text = latexOf(child);
    return text === '' ? [] : [{ text, math: true }];
  });
}

/** Text of a paragraph with its looks. */
function spansOf(paragraph: XmlElement, relations: Relations): Span[] {
  const spans: Span[] = [];
  for (const child of childrenOf(paragraph)) {
    if (child.name === 'a:br') spans.push({ text: '\n' });
    // A number of the slide or a date is none of its text.
    else if (child.name === 'a:fld' && /^(?:slidenum|datetime)/.test(attributeOf(child, 'type') ?? '')) continue;
    else if (child.name === 'a:r' || child.name === 'a:fld')
      spans.push({
        text: innerText(childOf(child, 'a:t')).replaceAll('\v', '\n'),
        ...looksOf(childOf(child, 'a:rPr'), relations),
      });
    else if (child.name === 'mc:AlternateContent') {
      const math = mathOf(childOf(child, 'mc:Choice'));
      append(spans, math.length > 0 ? math : spansOf(childOf(child, 'mc:Fallback') ?? child, relations));
    } else append(spans, mathOf(child));
  }
  return spans.filter(({ text }) => text !== '');
}

/** Lines of a body of text; `plain` bodies have no bullets but those that they name themselves. */
export function linesOf(body: XmlElement | undefined, place: TextPlace, styles: ListStyles): Line[] {
  const counters: number[] = [];
  const all = [childOf(body, 'a:lstStyle'), ...styles];
  const { page, source, hidden, relations } = place;
  return [...childrenOf(body, 'a:p')].map((paragraph): Line => {
    const properties = childOf(paragraph, 'a:pPr');
    const level = Math.min(8, Math.max(0, Number(attributeOf(properties, 'lvl') ?? 0) || 0));
    const spans = spansOf(paragraph, relations);
    const bullet = bulletOf(properties, level, all);
    const line = { type: 'line' as const, spans, page, source, ...(hidden ? { hidden } : {}) };
    const empty = spans.every(({ text }) => text.trim() === '');
    if (bullet === undefined || bullet.name === 'a:buNone' || empty) {
      counters.length = level;
      return line;
    }
    if (bullet.name !== 'a:buAutoNum') return { ...line, mark: { text: '-', ordered: false, level, list: place.list } };
    counters.length = level + 1;
    const start = Number(attributeOf(bullet, 'startAt') ?? 1) || 1;
    const value = (counters[level] = (counters[level] ?? start - 1) + 1);
    const text = numberMark(attributeOf(bullet, 'type') ?? 'arabicPeriod', value);
    return { ...line, mark: { text, ordered: true, level, list: place.list } };
  });
}
