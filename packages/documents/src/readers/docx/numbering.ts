import type { Mark } from '../../package/flow-items.ts';
import { attributeOf, childOf, childrenOf, type XmlElement } from '../../package/xml.ts';
import { symbolText } from './symbols.ts';
import { wordNumber } from './number-formats.ts';

interface Level {
  readonly start: number;
  readonly format: string;
  readonly text: string;
  /** Level after which it begins anew, from 1; 0 is never. */
  readonly restart: number;
  /** All numbers in it are digits. */
  readonly legal: boolean;
  readonly style: string | undefined;
}

interface List {
  /** Lists of one kind count on. */
  readonly kind: string;
  readonly levels: readonly (Level | undefined)[];
  /** Numbers that its levels begin with anew, when it is first used. */
  readonly starts: ReadonlyMap<number, number>;
}

export interface Numbering {
  /** The mark of the next paragraph of that list; null where there is none. */
  readonly next: (list: string, level: number) => Mark | null;
  /** Level of a list that belongs to a style; 0 where none does. */
  readonly levelOf: (list: string, style: string) => number;
}

const MAX_LEVELS = 9;

const valueOf = (element: XmlElement | undefined, name: string): string | undefined =>
  attributeOf(childOf(element, name), 'w:val');
const integer = (text: string | undefined, otherwise: number): number => {
  const value = Math.trunc(Number(text ?? Number.NaN));
  return Number.isFinite(value) && value >= 0 && value < 1_000_000_000 ? value : otherwise;
};

function readLevel(element: XmlElement, at: number): Level {
  const font = attributeOf(childOf(childOf(element, 'w:rPr'), 'w:rFonts'), 'w:ascii');
  const format = valueOf(element, 'w:numFmt') ?? 'decimal';
  const text = valueOf(element, 'w:lvlText') ?? '';
  return {
    start: integer(valueOf(element, 'w:start'), 0),
    format,
    text: format === 'bullet' ? symbolText(text, font) : text,
    restart: integer(valueOf(element, 'w:lvlRestart'), at),
    legal: childOf(element, 'w:isLgl') !== undefined && valueOf(element, 'w:isLgl') !== '0',
    style: valueOf(element, 'w:pStyle'),
  };
}

function readLevels(element: XmlElement | undefined, levels: (Level | undefined)[]): (Level | undefined)[] {
  for (const level of childrenOf(element, 'w:lvl')) {
    const at = integer(attributeOf(level, 'w:ilvl'), MAX_LEVELS);
    if (at < MAX_LEVELS) levels[at] = readLevel(level, at);
  }
  return levels;
}

/**
 * Definitions of lists that are one, each by the first of them: Word keeps a copy of one that was pasted, with the same identifiers, and
 * counts on in it.
 */
function firstOfCopies(abstracts: ReadonlyMap<string, XmlElement>): ReadonlyMap<string, string> {
  const firsts = new Map<string, string>();
  return new Map(
    [...abstracts].map(([id, element]) => {
      const [nsid, template] = [valueOf(element, 'w:nsid'), valueOf(element, 'w:tmpl')];
      // Other programs give all of their definitions one identifier.
      if (nsid === undefined || template === undefined) return [id, id];
      const key = `${nsid} ${template}`;
      if (!firsts.has(key)) firsts.set(key, id);
      return [id, firsts.get(key) ?? id];
    }),
  );
}

/** Lists by their id; `listOfStyle` is the list that a numbering style names. */
function readLists(root: XmlElement | null, listOfStyle: (style: string) => string | undefined): Map<string, List> {
  const abstracts = new Map<string, XmlElement>();
  for (const element of childrenOf(root ?? undefined, 'w:abstractNum'))
    abstracts.set(attributeOf(element, 'w:abstractNumId') ?? '', element);
  const firsts = firstOfCopies(abstracts);
  const concrete = new Map<string, XmlElement>();
  for (const element of childrenOf(root ?? undefined, 'w:num'))
    concrete.set(attributeOf(element, 'w:numId') ?? '', element);
  const kindOf = (id: string): string => valueOf(concrete.get(id), 'w:abstractNumId') ?? '';
  const lists = new Map<string, List>();
  for (const [id, element] of concrete) {
    let kind = kindOf(id);
    const link = valueOf(abstracts.get(kind), 'w:numStyleLink');
    const linked = link === undefined ? undefined : listOfStyle(link);
    if (linked !== undefined && concrete.has(linked)) kind = kindOf(linked);
    const levels = readLevels(abstracts.get(kind), []);
    const starts = new Map<number, number>();
    for (const override of childrenOf(element, 'w:lvlOverride')) {
      const at = integer(attributeOf(override, 'w:ilvl'), MAX_LEVELS);
      if (at >= MAX_LEVELS) continue;
      readLevels(override, levels);
      const start = valueOf(override, 'w:startOverride');
      if (start !== undefined) starts.set(at, integer(start, 1));
    }
    lists.set(id, { kind: firsts.get(kind) ?? kind, levels, starts });
  }
  return lists;
}

/** Reads `word/numbering.xml` and counts the paragraphs of its lists in their order. */
export function createNumbering(
  root: XmlElement | null,
  listOfStyle: (style: string) => string | undefined,
): Numbering {
  const lists = readLists(root, listOfStyle);
  const counts = new Map<string, (number | undefined)[]>();
  const used = new Set<string>();

  const advance = (id: string, list: List, level: number): readonly (number | undefined)[] => {
    const known = counts.get(list.kind) ?? [];
    counts.set(list.kind, known);
    if (!used.has(id)) {
      used.add(id);
      for (const [at, start] of list.starts) known[at] = start - 1;
    }
    for (let at = 0; at < level; at++) known[at] ??= list.levels[at]?.start ?? 1;
    known[level] = (known[level] ?? (list.levels[level]?.start ?? 1) - 1) + 1;
    for (let at = level + 1; at < MAX_LEVELS; at++) {
      const { restart = at } = list.levels[at] ?? {};
      // It begins anew after a paragraph of the level that it names, or of one above that.
      if (restart !== 0 && level < restart)
        known[at] = list.starts.has(at) ? (list.starts.get(at) ?? 1) - 1 : undefined;
    }
    return known;
  };
  return {
    levelOf: (id, style) => Math.max(0, lists.get(id)?.levels.findIndex((level) => level?.style === style) ?? 0),
    next: (id, given) => {
      const list = lists.get(id);
      const level = Math.min(MAX_LEVELS - 1, Math.max(0, Math.trunc(given)));
      const definition = list?.levels[level];
      if (list === undefined || definition === undefined) return null;
      if (definition.format === 'bullet')
        return { text: definition.text.trim() || '•', ordered: false, level, list: list.kind };
      const now = advance(id, list, level);
      const text = definition.text.replaceAll(/%([1-9])/g, (_, which: string) => {
        const at = Number(which) - 1;
        const format = definition.legal ? 'decimal' : (list.levels[at]?.format ?? 'decimal');
        return wordNumber(now[at] ?? list.levels[at]?.start ?? 1, format);
      });
      return { text: text.trim(), ordered: true, level, list: list.kind };
    },
  };
}
