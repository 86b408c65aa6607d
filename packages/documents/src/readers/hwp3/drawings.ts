import { i32At, u16At, u32At } from '../hwp/bytes.ts';
import { type Item, type Place, placeWithin } from '../hwp/session.ts';
import { type Part, inReadingOrder } from '../hwp/shapes.ts';
import { append } from '../../package/append.ts';
import { createCursor, type Cursor } from './cursor.ts';
import type { Session } from './session.ts';

// Drawings: frames with text among lines and other shapes. Source: Hancom, HWP document file format 3.0, 그리기 개체 자료 구조.

/** Of what all shapes begin with: kind, links, places, looks. */
const COMMON_BYTES = 88;
const TEXT_BOX = 6;
const [HAS_NEXT, HAS_CHILDREN] = [1, 2];
const FLAGS_AT = 84;
/** What follows where these flags are set, in this order, and how long it is. */
const further: readonly (readonly [flag: number, bytes: number])[] = [
  [0x2_0000, 32],
  [0x1_0000, 28],
  [0x4_0000, 278],
  [0x10_0000, 5],
];
const HAS_TEXT = 0x8_0000;
/** Before the paragraphs of a shape with text. */
const TEXT_HEAD_BYTES = 8;

/** Paragraphs that these bytes hold. */
function within(session: Session, bytes: Uint8Array, place: Place): Item[] {
  const { cursor } = session;
  session.cursor = createCursor(bytes);
  const items = session.list(place);
  session.cursor = cursor;
  return items;
}

/** Where the paragraphs of a shape begin in what it begins with; null for one without any. */
function textStart(head: Uint8Array): number | null {
  const flags = u32At(head, FLAGS_AT);
  if ((flags & HAS_TEXT) === 0) return null;
  let at = COMMON_BYTES;
  for (const [flag, bytes] of further) if ((flags & flag) !== 0 && head.length >= at + bytes) at += bytes;
  return head.length > at + TEXT_HEAD_BYTES ? at + TEXT_HEAD_BYTES : null;
}

function readShapes(cursor: Cursor, session: Session, place: Place): Part[] {
  const parts: Part[] = [];
  if (!session.budget.mayNest(place.depth)) {
    session.warn('nested_too_deep', 'What lies within too many tables or frames was left out.');
    cursor.end();
    return parts;
  }
  const inside = placeWithin(place, 'box', true);
  for (let next = true; next && !cursor.ended();) {
    const head = cursor.take(cursor.u32());
    cursor.take(cursor.u32());
    const data = cursor.take(cursor.u32());
    if (cursor.ended() || head.length < COMMON_BYTES) return parts;
    const links = u16At(head, 2);
    const own = { x: i32At(head, 20), y: i32At(head, 24), height: i32At(head, 16) };
    const start = textStart(head);
    if (start !== null) parts.push({ ...own, items: within(session, head.subarray(start), inside) });
    if (u16At(head, 0) === TEXT_BOX) parts.push({ ...own, items: within(session, data, inside) });
    if ((links & HAS_CHILDREN) !== 0) append(parts, readShapes(cursor, session, inside));
    next = (links & HAS_NEXT) !== 0;
  }
  return parts;
}

/** What is written in a drawing, from top to bottom; `data` is what follows its picture. */
export function readDrawing(data: Uint8Array, session: Session, place: Place): Item[] {
  const cursor = createCursor(data);
  cursor.take(cursor.u32());
  const parts = readShapes(cursor, session, place).filter(({ items }) => items.length > 0);
  return inReadingOrder(parts).flatMap(({ items }) => items);
}
