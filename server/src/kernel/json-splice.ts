import type { JsonText } from './json-text.ts';

/** Another text in the place of one that stands in the bytes of JSON. */
export interface TextChange {
  /** Its first byte, behind the opening quote. */
  readonly start: number;
  /** Its closing quote. */
  readonly end: number;
  /** What stands there instead. */
  readonly json: JsonText;
}

/** How many bytes longer JSON becomes by the changes. */
export function growthOf(changes: readonly TextChange[]): number {
  let growth = 0;
  for (const { start, end, json } of changes) growth += json.length - (end - start);
  return growth;
}

/** The bytes from `from` to `to` with the changes among them, in pieces. The changes ascend; none crosses either end. */
export function* changedParts(
  bytes: Buffer,
  changes: readonly TextChange[],
  from = 0,
  to = bytes.length,
): Generator<Buffer> {
  let at = from;
  for (const { start, end, json } of changes) {
    if (start < from || end > to) continue;
    yield bytes.subarray(at, start);
    yield Buffer.from(json, 'latin1');
    at = end;
  }
  yield bytes.subarray(at, to);
}

/** The same as latin1 characters. */
export function changedText(bytes: Buffer, changes: readonly TextChange[], from: number, to: number): string {
  let text = '';
  let at = from;
  for (const { start, end, json } of changes) {
    if (start < from || end > to) continue;
    text += bytes.toString('latin1', at, start) + json;
    at = end;
  }
  return text + bytes.toString('latin1', at, to);
}

/** The whole of JSON with its changes. */
export const changedBytes = (bytes: Buffer, changes: readonly TextChange[]): Buffer =>
  Buffer.concat([...changedParts(bytes, changes)]);
