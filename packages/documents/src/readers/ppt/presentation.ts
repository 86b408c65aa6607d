import { ParseError } from '../../parse-error.ts';
import type { ParseLimits } from '../../reader.ts';
import { i32At, u16At, u32At } from '../hwp/bytes.ts';
import { openCompoundFile } from '../hwp/compound.ts';
import { type PptRecord, findRecord, recordAt, recordsIn, types } from './records.ts';
import { type SlideText, textsOf } from './text.ts';

// A presentation of PowerPoint 97 to 2003: records in one stream, to which every save adds what changed. Source: MS-PPT.

const ENCRYPTED_TOKEN = 0xf3d1c4df;
const [SLIDES, NOTES] = [0, 2];
/** Saves that are looked through, the last one first. */
const MAX_EDITS = 10_000;
const HIDDEN_FLAG = 4;

/** A slide as it is shown. */
export interface PptSlide {
  readonly record: PptRecord;
  readonly outline: readonly SlideText[];
  /** What the speaker is told; null where there is nothing. */
  readonly notes: PptRecord | null;
  readonly hidden: boolean;
}

export interface Presentation {
  readonly slides: readonly PptSlide[];
  /** In the units of slides. */
  readonly width: number;
  readonly height: number;
  readonly summary: Uint8Array | null;
}

const damaged = () => new ParseError('CORRUPTED', 'The presentation is damaged and cannot be read.');

/** Where records stand, by the number that others name them with: the last save that has one counts. Source: MS-PPT 2.3.5. */
function placesOf(
  stream: Uint8Array,
  lastEdit: number,
): { readonly places: Map<number, number>; readonly document: number } {
  const places = new Map<number, number>();
  let document = 0;
  const seen = new Set<number>();
  for (let at = lastEdit; at > 0 && !seen.has(at) && seen.size < MAX_EDITS;) {
    seen.add(at);
    const edit = recordAt(stream, at);
    if (edit?.type !== types.userEdit) break;
    if (seen.size === 1) document = u32At(edit.bytes, 16);
    const directory = recordAt(stream, u32At(edit.bytes, 12));
    if (directory?.type === types.persistDirectory) addPlaces(directory.bytes, places);
    at = u32At(edit.bytes, 8);
  }
  return { places, document };
}

function addPlaces(directory: Uint8Array, places: Map<number, number>): void {
  for (let at = 0; at + 8 <= directory.length;) {
    const head = u32At(directory, at);
    const [first, count] = [head & 0xfffff, head >>> 20];
    at += 4;
    for (let nth = 0; nth < count && at + 4 <= directory.length; nth++, at += 4)
      if (!places.has(first + nth)) places.set(first + nth, u32At(directory, at));
  }
}

interface Listed {
  readonly place: number;
  readonly id: number;
  readonly outline: readonly SlideText[];
}

/** Slides, or notes, in their order, each with its texts in the outline. */
function listOf(document: PptRecord, instance: number): Listed[] {
  const list = findRecord(document, types.slideList, instance);
  const found: { head: PptRecord; records: PptRecord[] }[] = [];
  for (const record of list === null ? [] : recordsIn(list.bytes))
    if (record.type === types.slidePersist) found.push({ head: record, records: [] });
    else found.at(-1)?.records.push(record);
  return found.map(({ head, records }) => ({
    place: u32At(head.bytes, 0),
    id: u32At(head.bytes, 12),
    outline: textsOf(records),
  }));
}

/** Throws ParseError `ENCRYPTED`, `CORRUPTED`. */
export function openPresentation(bytes: Uint8Array, { entries }: ParseLimits): Presentation {
  const { paths, stream } = openCompoundFile(bytes, entries);
  const find = (name: RegExp) => stream(paths.find((path) => name.test(path)) ?? '');
  const [main, user] = [find(/^powerpoint document$/iu), find(/^current user$/iu)];
  if (main === null || user === null) throw damaged();
  const head = recordAt(user, 0);
  if (head === null) throw damaged();
  if (u32At(head.bytes, 4) === ENCRYPTED_TOKEN)
    throw new ParseError(
      'ENCRYPTED',
      'The presentation is protected by a password. Save it without one and try again.',
    );
  const { places, document: documentPlace } = placesOf(main, u32At(head.bytes, 8));
  const named = (place: number) => recordAt(main, places.get(place) ?? -1);
  const document = named(documentPlace);
  if (document?.type !== types.document) throw damaged();
  const notes = new Map(listOf(document, NOTES).map(({ id, place }) => [id, place]));
  const slides = listOf(document, SLIDES).flatMap(({ place, outline }): PptSlide[] => {
    const record = named(place);
    if (record?.type !== types.slide) return [];
    const atom = findRecord(record, types.slideAtom);
    const notesPlace = atom === null ? undefined : notes.get(u32At(atom.bytes, 16));
    const spoken = notesPlace === undefined ? null : named(notesPlace);
    const show = findRecord(record, types.slideShow);
    return [
      {
        record,
        outline,
        notes: spoken?.type === types.notes ? spoken : null,
        hidden: show !== null && (u16At(show.bytes, 10) & HIDDEN_FLAG) !== 0,
      },
    ];
  });
  const about = findRecord(document, types.documentAtom);
  return {
    slides,
    width: about === null ? 0 : i32At(about.bytes, 0),
    height: about === null ? 0 : i32At(about.bytes, 4),
    summary: find(/^\u0005summaryinformation$/iu),
  };
}
