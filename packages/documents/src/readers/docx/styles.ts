import { attributeOf, childOf, childrenOf, type XmlElement } from '../../package/xml.ts';

/** Looks of letters; undefined where nothing is said. */
export interface RunStyle {
  readonly bold?: boolean;
  readonly italic?: boolean;
  readonly strike?: boolean;
  readonly hidden?: boolean;
  readonly script?: 'super' | 'sub' | 'base';
  /** In half points. */
  readonly size?: number;
  /** Six hexadecimal digits in upper case, or `AUTO`. */
  readonly color?: string;
  readonly shaded?: boolean;
  readonly mono?: boolean;
}

/** What is said about a paragraph, by itself or by its style. */
export interface ParagraphStyle {
  /** 0 to 8 are headings, 9 is text. */
  readonly outline?: number;
  readonly numbering?: string;
  readonly level?: number;
  readonly shaded?: boolean;
  readonly pageBreakBefore?: boolean;
}

export interface Style {
  readonly id: string;
  /** In lower case; names of the program's own styles are English in every language. */
  readonly name: string;
  readonly looks: RunStyle;
  readonly paragraph: ParagraphStyle;
}

export interface Styles {
  readonly paragraph: (id: string | undefined) => Style;
  readonly character: (id: string | undefined) => RunStyle;
  /** True when a style of tables makes the first row look like a heading. */
  readonly headsTables: (id: string | undefined) => boolean;
}

/** Styles that inherit from each other deeper than that go round in a circle. */
const MAX_DEPTH = 32;
/** Typefaces of even width; those that Korean texts are set in (바탕체, 굴림체) are no sign of a program. */
const monospaced = /courier|consolas|mono(?!type)|menlo|monaco|lucida console|d2coding/i;

/** True when a switch such as `w:b` is on; undefined where it is not there. */
export function onOffValue(parent: XmlElement | undefined, name: string): boolean | undefined {
  const element = childOf(parent, name);
  if (element === undefined) return undefined;
  return !/^(?:0|false|off|none)$/i.test(attributeOf(element, 'w:val') ?? '1');
}

const numberOf = (element: XmlElement | undefined): number | undefined => {
  const value = Number(attributeOf(element, 'w:val') ?? Number.NaN);
  return Number.isFinite(value) ? value : undefined;
};

const isShaded = (parent: XmlElement | undefined): boolean | undefined => {
  const fill = attributeOf(childOf(parent, 'w:shd'), 'w:fill');
  return fill === undefined ? undefined : !/^(?:auto|ffffff)$/i.test(fill);
};

const defined = <T extends object>(value: { [K in keyof T]: T[K] | undefined }): T =>
  Object.fromEntries(Object.entries(value).filter(([, one]) => one !== undefined)) as T;

/** Reads `w:rPr`. */
export function runStyleOf(properties: XmlElement | undefined): RunStyle {
  if (properties === undefined) return {};
  const align = attributeOf(childOf(properties, 'w:vertAlign'), 'w:val');
  const fonts = childOf(properties, 'w:rFonts');
  const font = attributeOf(fonts, 'w:ascii') ?? attributeOf(fonts, 'w:hAnsi');
  return defined<RunStyle>({
    bold: onOffValue(properties, 'w:b'),
    italic: onOffValue(properties, 'w:i'),
    strike: onOffValue(properties, 'w:strike') ?? onOffValue(properties, 'w:dstrike'),
    hidden: onOffValue(properties, 'w:vanish'),
    script:
      align === undefined ? undefined : align === 'superscript' ? 'super' : align === 'subscript' ? 'sub' : 'base',
    size: numberOf(childOf(properties, 'w:sz')),
    color: attributeOf(childOf(properties, 'w:color'), 'w:val')?.toUpperCase(),
    shaded: isShaded(properties),
    mono: font === undefined ? undefined : monospaced.test(font),
  });
}

/** Reads `w:pPr`. */
export function paragraphStyleOf(properties: XmlElement | undefined): ParagraphStyle {
  if (properties === undefined) return {};
  const numbering = childOf(properties, 'w:numPr');
  return defined<ParagraphStyle>({
    outline: numberOf(childOf(properties, 'w:outlineLvl')),
    numbering: attributeOf(childOf(numbering, 'w:numId'), 'w:val'),
    level: numberOf(childOf(numbering, 'w:ilvl')),
    shaded: isShaded(properties),
    pageBreakBefore: onOffValue(properties, 'w:pageBreakBefore'),
  });
}

/** Reads `word/styles.xml`, or nothing where there is none. */
export function readStyles(root: XmlElement | null): Styles {
  const elements = new Map<string, XmlElement>();
  let standard: string | undefined;
  for (const element of childrenOf(root ?? undefined, 'w:style')) {
    const id = attributeOf(element, 'w:styleId') ?? '';
    elements.set(id, element);
    const isDefault = /^(?:1|true|on)$/i.test(attributeOf(element, 'w:default') ?? '');
    if (isDefault && attributeOf(element, 'w:type') === 'paragraph') standard = id;
  }
  const base = runStyleOf(childOf(childOf(childOf(root ?? undefined, 'w:docDefaults'), 'w:rPrDefault'), 'w:rPr'));
  const known = new Map<string, Style>();

  function style(id: string, depth: number, top: RunStyle): Style {
    const found = known.get(id);
    if (found !== undefined) return found;
    const element = elements.get(id);
    if (element === undefined || depth > MAX_DEPTH) return { id, name: '', looks: top, paragraph: {} };
    const parentId = attributeOf(childOf(element, 'w:basedOn'), 'w:val');
    const parent = parentId === undefined ? undefined : style(parentId, depth + 1, top);
    const name = (attributeOf(childOf(element, 'w:name'), 'w:val') ?? '').toLowerCase();
    const own = paragraphStyleOf(childOf(element, 'w:pPr'));
    const heading = /^(?:heading|제목)\s*([1-9])$/.exec(name)?.[1];
    const result: Style = {
      id,
      name,
      looks: { ...(parent?.looks ?? top), ...runStyleOf(childOf(element, 'w:rPr')) },
      paragraph: {
        ...parent?.paragraph,
        ...(heading === undefined ? {} : { outline: Number(heading) - 1 }),
        ...own,
      },
    };
    known.set(id, result);
    return result;
  }
  const paragraphTop = base;
  return {
    paragraph: (id) => style(id ?? standard ?? '', 0, paragraphTop),
    character: (id) => (id === undefined ? {} : characterLooks(id, 0)),
    headsTables: (id) => headsTables(id, 0),
  };

  function headsTables(id: string | undefined, depth: number): boolean {
    const element = id === undefined || depth > MAX_DEPTH ? undefined : elements.get(id);
    if (element === undefined) return false;
    for (const part of childrenOf(element, 'w:tblStylePr')) if (attributeOf(part, 'w:type') === 'firstRow') return true;
    return headsTables(attributeOf(childOf(element, 'w:basedOn'), 'w:val'), depth + 1);
  }

  function characterLooks(id: string, depth: number): RunStyle {
    const element = elements.get(id);
    if (element === undefined || depth > MAX_DEPTH) return {};
    const parent = attributeOf(childOf(element, 'w:basedOn'), 'w:val');
    return {
      ...(parent === undefined ? {} : characterLooks(parent, depth + 1)),
      ...runStyleOf(childOf(element, 'w:rPr')),
    };
  }
}
