import type { Note } from '../../document.ts';
import { assembleFlow } from '../../package/flow.ts';
import { attributeOf, childOf, childrenOf, type XmlElement } from '../../package/xml.ts';
import { wordNumber } from './number-formats.ts';
import { withDepth, type Reading, type Story } from './reading.ts';

/** Elements of a part by their id; separators between text and notes are none. */
export function notesById(root: XmlElement | null, name: string): ReadonlyMap<string, XmlElement> {
  const notes = new Map<string, XmlElement>();
  for (const note of childrenOf(root ?? undefined, name)) {
    const type = attributeOf(note, 'w:type');
    if (type === undefined || type === 'normal') notes.set(attributeOf(note, 'w:id') ?? '', note);
  }
  return notes;
}

/** How notes are numbered, by `word/settings.xml`; Word's own ways are digits, and small Roman numbers at the end. */
export function noteFormatsOf(settings: XmlElement | null): Reading['noteFormats'] {
  const formatOf = (name: string): string | undefined =>
    attributeOf(childOf(childOf(settings ?? undefined, name), 'w:numFmt'), 'w:val');
  return { footnote: formatOf('w:footnotePr') ?? 'decimal', endnote: formatOf('w:endnotePr') ?? 'lowerRoman' };
}

/** The note that is referred to; null where there is none. A note with a mark of the author's has none of its own. */
export function readNote(story: Story, kind: Note['kind'], id: string, custom: boolean): Note | null {
  const { reading } = story;
  const from = reading.notes[kind];
  const element = from?.notes.get(id);
  if (from === undefined || element === undefined) return null;
  const inside = { ...story, part: from.part, relations: from.relations, isBody: false, fields: [], inContents: false };
  const blocks = withDepth(reading, () => assembleFlow(reading.readBlocks(element, inside)));
  if (blocks === null) return null;
  const count = (reading.noteCounts.get(kind) ?? 0) + (custom ? 0 : 1);
  reading.noteCounts.set(kind, count);
  const author = kind === 'comment' ? attributeOf(element, 'w:author') : undefined;
  return {
    type: 'footnote',
    kind,
    id: `${kind}-${id}`,
    page: story.isBody ? reading.pages.current() : null,
    source: from.part,
    ...(custom || kind === 'comment' ? {} : { marker: wordNumber(count, reading.noteFormats[kind] ?? 'decimal') }),
    ...(author === undefined || author === '' ? {} : { author }),
    blocks,
  };
}
