import type { ListItem } from '../../document.ts';
import { checkLists } from '../bounds.ts';
import { numberMark } from '../marks.ts';
import { escapeXml } from '../xml.ts';
import { wordPart } from './names.ts';

/** What a level of a list looks like. */
interface Level {
  readonly format: string;
  readonly text: string;
}
const LIST_LEVELS = 9;
/** Twentieths of a point that a level stands further in. */
const INDENT_TWIPS = 400;

const levelXml = ({ format, text }: Level, at: number): string =>
  `<w:lvl w:ilvl="${at}"><w:start w:val="1"/><w:numFmt w:val="${format}"/><w:lvlText w:val="${escapeXml(text)}"/><w:lvlJc w:val="left"/><w:pPr><w:ind w:left="${INDENT_TWIPS * (at + 1)}" w:hanging="${INDENT_TWIPS}"/></w:pPr></w:lvl>`;

const same = (one: Level | undefined, other: Level): boolean => one?.format === other.format && one.text === other.text;

/** A concrete list (`w:num`): what it says otherwise than the list that it is one of. */
interface Concrete {
  readonly id: number;
  readonly abstract: number;
  readonly levels: Map<number, Level>;
  readonly starts: Map<number, number>;
}

/** What a paragraph says of its place in a list. */
export interface ListPlace {
  readonly id: number;
  readonly level: number;
}

/**
 * Numbers paragraphs so that the program counts them itself, and shows the marks that the text has: where a mark is not the one that
 * would follow, a list of the same kind goes on from it.
 */
export function createLists() {
  const abstracts: Map<number, Level>[] = [];
  const concretes: Concrete[] = [];

  function concreteOf(abstract: number, levels: ReadonlyMap<number, Level>, starts: ReadonlyMap<number, number>) {
    const made = { id: concretes.length + 1, abstract, levels: new Map(levels), starts: new Map(starts) };
    concretes.push(made);
    checkLists(concretes.length);
    return made;
  }

  /** A list of its own; the function gives its items their places, one after the other. */
  function begin(): (item: Pick<ListItem, 'level' | 'marker'>) => ListPlace {
    const abstract = abstracts.length;
    const own = new Map<number, Level>();
    abstracts.push(own);
    let open = concreteOf(abstract, new Map(), new Map());
    let counts: (number | undefined)[] = [];
    const shown = (level: number): Level | undefined => open.levels.get(level) ?? own.get(level);

    return ({ level: given, marker }) => {
      const level = Math.min(LIST_LEVELS - 1, Math.max(0, given));
      const mark = numberMark(marker);
      const docx = mark?.shape.docx ?? null;
      const counted = mark !== null && docx !== null;
      const wanted: Level = counted
        ? { format: docx, text: `${mark.before}%${level + 1}${mark.after}` }
        : { format: 'bullet', text: marker === '' ? '•' : marker };
      if (shown(level) === undefined) own.set(level, wanted);
      const looks = same(shown(level), wanted);
      const next = (counts[level] ?? 0) + 1;
      const goesOn = !counted || mark.number === next;
      if (!looks || !goesOn) {
        const levels = new Map(open.levels);
        if (same(own.get(level), wanted)) levels.delete(level);
        else levels.set(level, wanted);
        open = concreteOf(abstract, levels, counted ? new Map([[level, mark.number]]) : new Map());
      }
      if (counted) {
        counts = counts.slice(0, level + 1);
        for (let at = 0; at < level; at++) counts[at] ??= 1;
        counts[level] = mark.number;
        // Levels below begin anew, where this list says so with the number that it says.
        for (const [at, start] of open.starts) if (at > level) counts[at] = start - 1;
      }
      return { id: open.id, level };
    };
  }

  /** `word/numbering.xml`; null where nothing is numbered. */
  function part(): string | null {
    if (abstracts.length === 0) return null;
    const kinds = abstracts.map((levels, id) => {
      const all = Array.from({ length: LIST_LEVELS }, (_, at) => levels.get(at) ?? { format: 'bullet', text: '•' });
      return `<w:abstractNum w:abstractNumId="${id}"><w:multiLevelType w:val="multilevel"/>${all.map(levelXml).join('')}</w:abstractNum>`;
    });
    const lists = concretes.map(({ id, abstract, levels, starts }) => {
      const changed = [...new Set([...levels.keys(), ...starts.keys()])].toSorted((a, b) => a - b);
      const overrides = changed.map((at) => {
        const start = starts.get(at);
        const level = levels.get(at);
        return `<w:lvlOverride w:ilvl="${at}">${start === undefined ? '' : `<w:startOverride w:val="${start}"/>`}${level === undefined ? '' : levelXml(level, at)}</w:lvlOverride>`;
      });
      return `<w:num w:numId="${id}"><w:abstractNumId w:val="${abstract}"/>${overrides.join('')}</w:num>`;
    });
    return wordPart('numbering', [...kinds, ...lists].join(''));
  }
  return { begin, part };
}
export type Lists = ReturnType<typeof createLists>;
