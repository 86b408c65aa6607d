import { attributeOf, childOf, childrenOf, innerText, type XmlElement } from '../../package/xml.ts';
import type { Bullet, CharShape, DocInfo, HeadKind, NumberLevel, ParaShape, Style } from '../hwp/doc-info.ts';

/** Ids are places in a list; larger ones are mistakes. */
const MAX_IDS = 65_536;

/** Shapes of numbers in the order in which HWP 5 numbers them. Source: KS X 6101, NumberType1. */
const numberFormats = [
  'DIGIT',
  'CIRCLED_DIGIT',
  'ROMAN_CAPITAL',
  'ROMAN_SMALL',
  'LATIN_CAPITAL',
  'LATIN_SMALL',
  'CIRCLED_LATIN_CAPITAL',
  'CIRCLED_LATIN_SMALL',
  'HANGUL_SYLLABLE',
  'CIRCLED_HANGUL_SYLLABLE',
  'HANGUL_JAMO',
  'CIRCLED_HANGUL_JAMO',
  'HANGUL_PHONETIC',
  'IDEOGRAPH',
  'CIRCLED_IDEOGRAPH',
  'DECAGON_CIRCLE',
  'DECAGON_CIRCLE_HANJA',
];

export const numberKind = (name: string | undefined): number => Math.max(0, numberFormats.indexOf(name ?? 'DIGIT'));

/** A whole number from an attribute, or what it is otherwise. */
export function integerOf(element: XmlElement | undefined, name: string, otherwise = 0): number {
  const value = Math.trunc(Number(attributeOf(element, name) ?? Number.NaN));
  return Number.isFinite(value) ? value : otherwise;
}

/** 0xBBGGRR; black where there is none. */
function colourOf(text: string | undefined): number {
  const digits = /^#([\dA-F]{2})([\dA-F]{2})([\dA-F]{2})$/i.exec(text ?? '');
  if (digits === null) return 0;
  const [, red = '0', green = '0', blue = '0'] = digits;
  return Number.parseInt(`${blue}${green}${red}`, 16);
}

const isColour = (text: string | undefined): boolean =>
  text !== undefined && /^#[\dA-F]{6}$/i.test(text) && !/^#FFFFFF$/i.test(text);

const readCharShape = (element: XmlElement): CharShape => {
  const strike = attributeOf(childOf(element, 'hh:strikeout'), 'shape');
  const above = childOf(element, 'hh:supscript') !== undefined;
  const below = childOf(element, 'hh:subscript') !== undefined;
  return {
    size: integerOf(element, 'height', 1000),
    bold: childOf(element, 'hh:bold') !== undefined,
    italic: childOf(element, 'hh:italic') !== undefined,
    // Hancom Office writes `3D` for none.
    strike: strike !== undefined && strike !== 'NONE' && strike !== '3D',
    script: above ? 'super' : below ? 'sub' : null,
    colour: colourOf(attributeOf(element, 'textColor')),
    shaded: isColour(attributeOf(element, 'shadeColor')),
  };
};

const headKinds: Readonly<Record<string, HeadKind>> = { OUTLINE: 'outline', NUMBER: 'number', BULLET: 'bullet' };

const readParaShape = (element: XmlElement): ParaShape => {
  const heading = childOf(element, 'hh:heading');
  const level = integerOf(heading, 'level');
  return {
    head: headKinds[attributeOf(heading, 'type') ?? ''] ?? 'none',
    level: Math.min(9, Math.max(0, level)),
    headId: integerOf(heading, 'idRef'),
    breakBefore: attributeOf(childOf(element, 'hh:breakSetting'), 'pageBreakBefore') === '1',
    alignment: 0,
    borderFill: integerOf(childOf(element, 'hh:border'), 'borderFillIDRef'),
    checked: attributeOf(element, 'checked') === '1',
  };
};

const readStyle = (element: XmlElement): Style => ({
  name: attributeOf(element, 'name') ?? '',
  englishName: attributeOf(element, 'engName') ?? '',
  paraShape: integerOf(element, 'paraPrIDRef'),
});

function readBullet(element: XmlElement): Bullet {
  const isCheckable = attributeOf(childOf(element, 'hh:paraHead'), 'checkable') !== '0';
  return {
    sign: attributeOf(element, 'char') ?? '',
    checkedSign: isCheckable ? (attributeOf(element, 'checkedChar') ?? '') : '',
  };
}

function readNumbering(element: XmlElement): readonly NumberLevel[] {
  const levels: NumberLevel[] = Array.from({ length: 10 }, () => ({ pattern: '', kind: 0, start: 1 }));
  for (const head of childrenOf(element, 'hh:paraHead')) {
    const at = integerOf(head, 'level', 1) - 1;
    if (at < 0 || at >= levels.length) continue;
    levels[at] = {
      pattern: innerText(head),
      kind: numberKind(attributeOf(head, 'numFormat')),
      start: Math.max(0, integerOf(head, 'start', 1)),
    };
  }
  return levels;
}

/** True when a fill has a colour that is not white, a pattern or a picture. */
function isFilled(element: XmlElement): boolean {
  const brush = childOf(element, 'hc:fillBrush');
  if (brush === undefined) return false;
  const flat = childOf(brush, 'hc:winBrush');
  return flat === undefined ? brush.children.length > 0 : isColour(attributeOf(flat, 'faceColor'));
}

/** Elements of a list at the place of their id, from `first`; holes are filled with `empty`. */
function listById<T>(
  list: XmlElement | undefined,
  name: string,
  first: number,
  read: (element: XmlElement) => T,
  empty: T,
): readonly T[] {
  const items: T[] = [];
  for (const element of childrenOf(list, name)) {
    const at = integerOf(element, 'id', items.length + first) - first;
    if (at < 0 || at >= MAX_IDS) continue;
    while (items.length < at) items.push(empty);
    items[at] = read(element);
  }
  return items;
}

const emptyShape: ParaShape = {
  head: 'none',
  level: 0,
  headId: 0,
  breakBefore: false,
  alignment: 0,
  borderFill: 0,
  checked: false,
};
const emptyLetters: CharShape = {
  size: 1000,
  bold: false,
  italic: false,
  strike: false,
  script: null,
  colour: 0,
  shaded: false,
};

/** Reads `Contents/header.xml`: what paragraphs refer to by number. */
export function readHeader(root: XmlElement | null): DocInfo {
  const list = childOf(root ?? undefined, 'hh:refList');
  return {
    charShapes: listById(childOf(list, 'hh:charProperties'), 'hh:charPr', 0, readCharShape, emptyLetters),
    paraShapes: listById(childOf(list, 'hh:paraProperties'), 'hh:paraPr', 0, readParaShape, emptyShape),
    styles: listById(childOf(list, 'hh:styles'), 'hh:style', 0, readStyle, { name: '', englishName: '', paraShape: 0 }),
    numberings: listById(childOf(list, 'hh:numberings'), 'hh:numbering', 1, readNumbering, []),
    bullets: listById(childOf(list, 'hh:bullets'), 'hh:bullet', 1, readBullet, { sign: '', checkedSign: '' }),
    binItems: [],
    fills: listById(childOf(list, 'hh:borderFills'), 'hh:borderFill', 1, isFilled, false),
    tracked: false,
  };
}
