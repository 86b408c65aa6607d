import type { Note } from '../../document.ts';
import { recordTags } from './records.ts';
import type { TreeRecord } from './records.ts';
import { pageOf, placeWithin } from './session.ts';
import type { Item, Place, Session } from './session.ts';

/** Memos (메모) that hang on a paragraph: beside the text, as comments. */
export const readMemos = (paragraph: TreeRecord, session: Session, place: Place): Item[] => {
  const memos = paragraph.children.filter(({ tag }) => tag === recordTags.memoList);
  if (memos.length === 0) return [];
  // The paragraphs of a memo stand beside its head, or within it.
  const records = [...paragraph.children, ...memos.flatMap(({ children }) => children)];
  const notes: Item[] = [];
  let list: TreeRecord[] = [];
  const close = (): void => {
    const blocks = session.blocks(list, placeWithin(place, 'note', false));
    list = [];
    if (blocks.length === 0) return;
    session.noteCounts.comment += 1;
    const id = `comment-${session.noteCounts.comment}`;
    const note: Note = { type: 'footnote', kind: 'comment', id, page: pageOf(session, place), blocks };
    notes.push({ kind: 'block', block: note });
  };
  for (const record of records) {
    if (record.tag === recordTags.memoList) close();
    else if (record.tag === recordTags.paraHeader) list.push(record);
  }
  close();
  return notes;
};
