import { QUOTE, skipSpace, skipString, skipValue } from '../../kernel/json-scan.ts';
import { parseJson } from './json-text.ts';

// Parses long JSON in pieces. Members of a list or an object that together have as many units as a piece are parsed in one turn, and a
// member that alone has more is taken apart as well. Each piece is parsed by JSON.parse, which decides what is JSON.

/** UTF-16 units of JSON that are parsed within a few milliseconds. */
export const MAX_PIECE_LENGTH = 50_000;

const notJson = () => new SyntaxError('the text is no JSON');

interface Member {
  readonly start: number;
  readonly valueStart: number;
  readonly end: number;
}

/** The member of a container that begins at `start`. Throws SyntaxError. */
function memberAt(text: string, start: number, isList: boolean): Member {
  if (isList) return { start, valueStart: start, end: skipValue(text, start) };
  if (text.charCodeAt(start) !== QUOTE) throw notJson();
  const colon = skipSpace(text, skipString(text, start));
  if (text[colon] !== ':') throw notJson();
  const valueStart = skipSpace(text, colon + 1);
  return { start, valueStart, end: skipValue(text, valueStart) };
}

/** The members of a container, without what stands between them. Throws SyntaxError. */
function* membersOf(text: string, from: number, to: number): Generator<Member> {
  const isList = text[from] === '[';
  if (text[to - 1] !== (isList ? ']' : '}')) throw notJson();
  let at = skipSpace(text, from + 1);
  while (at < to - 1) {
    const member = memberAt(text, at, isList);
    if (member.end <= member.valueStart || member.end >= to) throw notJson();
    yield member;
    at = skipSpace(text, member.end);
    if (at === to - 1) return;
    if (text[at] !== ',') throw notJson();
    at = skipSpace(text, at + 1);
    if (at >= to - 1) throw notJson();
  }
}

const isContainer = (text: string, at: number) => text[at] === '[' || text[at] === '{';

/** Adds a member to a container as JSON.parse does. */
function add(container: unknown[] | Record<string, unknown>, name: string, value: unknown): void {
  if (Array.isArray(container)) container.push(value);
  else if (name !== '__proto__') container[name] = value;
  else Object.defineProperty(container, name, { value, writable: true, enumerable: true, configurable: true });
}

/** `from` is the opening bracket, `to` one past the closing one. Pauses after each piece. Throws SyntaxError. */
function* parseContainer(text: string, from: number, to: number, pieceLength: number): Generator<null, unknown> {
  const isList = text[from] === '[';
  const [open, close] = isList ? '[]' : '{}';
  const container: unknown[] | Record<string, unknown> = isList ? [] : {};
  /** Members that were not parsed yet: from the first to the end of the last; from -1 where there are none. */
  let [runStart, runEnd] = [-1, -1];
  const parseRun = () => {
    if (runStart < 0) return;
    const parsed = parseJson(`${open}${text.slice(runStart, runEnd)}${close}`) as object;
    for (const [name, value] of Object.entries(parsed)) add(container, name, value);
    runStart = -1;
  };
  for (const { start, valueStart, end } of membersOf(text, from, to)) {
    if (end - valueStart > pieceLength && isContainer(text, valueStart)) {
      parseRun();
      const name = isList ? '' : (JSON.parse(text.slice(start, skipString(text, start))) as string);
      add(container, name, yield* parseContainer(text, valueStart, end, pieceLength));
      continue;
    }
    if (runStart < 0) runStart = start;
    runEnd = end;
    if (end - runStart <= pieceLength) continue;
    parseRun();
    yield null;
  }
  parseRun();
  yield null;
  return container;
}

/** What {@link parseJson} returns, read piece by piece; pauses after each. Throws SyntaxError. Nesting takes stack. */
export function* parseSteps(text: string, pieceLength = MAX_PIECE_LENGTH): Generator<null, unknown> {
  const from = skipSpace(text, 0);
  if (!isContainer(text, from) || text.length - from <= pieceLength) return parseJson(text);
  const to = skipValue(text, from);
  if (skipSpace(text, to) < text.length) throw notJson();
  return yield* parseContainer(text, from, to, pieceLength);
}
