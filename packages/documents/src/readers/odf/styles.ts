import type { Span } from '../../document.ts';
import { attributeOf, childOf, childrenOf, type XmlElement } from '../../package/xml.ts';

/** What is read of the look of a text. */
export type Looks = Pick<Span, 'bold' | 'italic' | 'strike' | 'script'> & {
  /** Points. */
  readonly size?: number;
  /** The program does not show it. */
  readonly hidden?: boolean;
};

/** How a level of a list is marked. */
export interface ListLevel {
  readonly ordered: boolean;
  /** Of numbers: their shape (`1`, `a`, `가`); of bullets: the sign. */
  readonly sign: string;
  readonly prefix: string;
  readonly suffix: string;
  readonly start: number;
  /** How many levels above are shown with it, itself counted. */
  readonly shown: number;
}

/** Styles of a document, those of its parents followed. */
export interface Styles {
  readonly looks: (family: 'paragraph' | 'text', name: string | undefined) => Looks;
  /** Name of the style that an automatic style was made from. */
  readonly named: (name: string | undefined) => string;
  readonly breaksBefore: (name: string | undefined) => boolean;
  /** Name of the master page that a sheet is printed by. */
  readonly masterOf: (name: string | undefined) => string;
  readonly isHiddenTable: (name: string | undefined) => boolean;
  readonly list: (name: string | undefined, level: number) => ListLevel | null;
  /** Name of the list that paragraphs of a style stand in. */
  readonly listOf: (name: string | undefined) => string | undefined;
}

/** Styles that are made from each other. */
const MAX_PARENTS = 20;
/** The number that the first item of a list may have. */
const MAX_LIST_START = 100_000;

function ownLooks(style: XmlElement): Looks {
  const text = childOf(style, 'style:text-properties');
  if (text === undefined) return {};
  const weight = attributeOf(text, 'fo:font-weight');
  const slant = attributeOf(text, 'fo:font-style');
  const line = attributeOf(text, 'style:text-line-through-style');
  const position = attributeOf(text, 'style:text-position') ?? '';
  const size = /^([\d.]+)pt$/.exec(attributeOf(text, 'fo:font-size') ?? '')?.[1];
  return {
    ...(weight === undefined ? {} : { bold: weight === 'bold' || Number(weight) >= 600 }),
    ...(slant === undefined ? {} : { italic: slant !== 'normal' }),
    ...(line === undefined ? {} : { strike: line !== 'none' }),
    ...(/^super|^[1-9]/.test(position) ? { script: 'super' as const } : {}),
    ...(/^sub|^-/.test(position) ? { script: 'sub' as const } : {}),
    ...(size === undefined ? {} : { size: Number(size) }),
    ...(attributeOf(text, 'text:display') === 'none' ? { hidden: true } : {}),
  };
}

function listLevels(list: XmlElement): ReadonlyMap<number, ListLevel> {
  const levels = new Map<number, ListLevel>();
  for (const level of childrenOf(list)) {
    const at = Number(attributeOf(level, 'text:level') ?? 0) - 1;
    if (!(at >= 0 && at < 10)) continue;
    const ordered = level.name === 'text:list-level-style-number' || level.name === 'text:outline-level-style';
    levels.set(at, {
      ordered,
      sign: attributeOf(level, ordered ? 'style:num-format' : 'text:bullet-char') ?? (ordered ? '' : '•'),
      prefix: attributeOf(level, 'style:num-prefix') ?? '',
      suffix: attributeOf(level, 'style:num-suffix') ?? '',
      start: Math.min(
        MAX_LIST_START,
        Math.max(1, Math.trunc(Number(attributeOf(level, 'text:start-value') ?? 1)) || 1),
      ),
      shown: Math.trunc(Number(attributeOf(level, 'text:display-levels') ?? 1)) || 1,
    });
  }
  return levels;
}

/** Reads the styles of `styles.xml` and the automatic ones of the content. */
export function readStyles(content: XmlElement, styles: XmlElement | null): Styles {
  const byKey = new Map<string, XmlElement>();
  const lists = new Map<string, ReadonlyMap<number, ListLevel>>();
  for (const root of [styles ?? undefined, content]) {
    for (const group of ['office:styles', 'office:automatic-styles']) {
      for (const style of childrenOf(childOf(root, group))) {
        const name = attributeOf(style, 'style:name') ?? '';
        if (style.name === 'style:style') byKey.set(`${attributeOf(style, 'style:family') ?? ''} ${name}`, style);
        else if (style.name === 'text:list-style') lists.set(name, listLevels(style));
      }
    }
  }
  /** The style and those that it was made from, the outermost first. */
  const chain = (family: string, name: string | undefined): readonly XmlElement[] => {
    const found: XmlElement[] = [];
    let at = name;
    while (at !== undefined && found.length < MAX_PARENTS) {
      const style = byKey.get(`${family} ${at}`);
      if (style === undefined) break;
      found.unshift(style);
      at = attributeOf(style, 'style:parent-style-name');
    }
    return found;
  };
  const cache = new Map<string, Looks>();
  return {
    looks: (family, name) => {
      const key = `${family} ${name ?? ''}`;
      let looks = cache.get(key);
      if (looks === undefined) {
        looks = Object.assign({}, ...chain(family, name).map(ownLooks)) as Looks;
        cache.set(key, looks);
      }
      return looks;
    },
    named: (name) =>
      chain('paragraph', name)
        .map((style) => attributeOf(style, 'style:display-name') ?? attributeOf(style, 'style:name') ?? '')
        .toReversed()
        .find((one) => !/^P\d+$/.test(one)) ?? '',
    breaksBefore: (name) =>
      chain('paragraph', name).some(
        (style) => attributeOf(childOf(style, 'style:paragraph-properties'), 'fo:break-before') === 'page',
      ),
    masterOf: (name) =>
      chain('table', name)
        .map((style) => attributeOf(style, 'style:master-page-name') ?? '')
        .findLast((one) => one !== '') ?? 'Default',
    isHiddenTable: (name) =>
      chain('table', name).some(
        (style) => attributeOf(childOf(style, 'style:table-properties'), 'table:display') === 'false',
      ),
    list: (name, level) => lists.get(name ?? '')?.get(level) ?? null,
    listOf: (name) =>
      chain('paragraph', name)
        .map((style) => attributeOf(style, 'style:list-style-name'))
        .findLast((one) => one !== undefined && one !== ''),
  };
}
