import { u16At, u32At, decodeUtf16 } from './bytes.ts';
import { columnsOf } from './pages.ts';
import type { Control } from './paragraph.ts';
import { recordTags } from './records.ts';
import type { NoteShape, Session } from './session.ts';

const letterAt = (data: Uint8Array, at: number): string => decodeUtf16(data, at, at + 2).replaceAll('\0', '');

const readNoteShape = (data: Uint8Array): NoteShape => ({
  kind: u32At(data, 0) & 0xff,
  before: letterAt(data, 6),
  after: letterAt(data, 8),
});

/** Takes over what the definitions of a section and of columns among these controls say about what follows. */
export const applySection = (controls: readonly Control[], session: Session): void => {
  for (const { id, data, children } of controls) {
    if (id === 'cold') session.tracker.columns(columnsOf(data));
    if (id !== 'secd') continue;
    session.outline = u16At(data, 18);
    const page = children.find(({ tag }) => tag === recordTags.pageDef);
    if (page !== undefined) session.tracker.pageDef(page.data);
    const [footnote, endnote] = children.filter(({ tag }) => tag === recordTags.footnoteShape);
    if (footnote !== undefined) session.noteShapes.footnote = readNoteShape(footnote.data);
    if (endnote !== undefined) session.noteShapes.endnote = readNoteShape(endnote.data);
  }
};

/** Shape of the marks of notes where a document says nothing. */
export const standardNoteShape: NoteShape = { kind: 0, before: '', after: ')' };
