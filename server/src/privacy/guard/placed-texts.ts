import type { JsonOutline } from '../../kernel/json-outline/index.ts';
import { QUOTE, scanObject, skipSpace, skipString, skipValue } from '../../kernel/json-scan.ts';
import { interfaceFields, otherTextFields } from './text-fields.ts';

// Most requests hold their texts in messages of a role and a content. Those are found by their places in the bytes, so that nothing has
// to be parsed, nor written anew where nothing is masked. All other requests are for chat-text.ts, which finds the same in these.

/** A request as it was checked: JSON of an object, with the fields of the contract right. */
export interface CheckedJson {
  readonly bytes: Buffer;
  /** Its bytes as latin1 characters, or those of its outline. */
  readonly latin1: string;
  readonly outline: JsonOutline | null;
}

/** The places of a text in the bytes: behind its opening quote, and its closing one. */
export interface TextRange {
  readonly start: number;
  readonly end: number;
}

export interface PlacedMessage {
  readonly role: string;
  /** The content where it is one text; the texts among its parts where it is a list. */
  readonly texts: readonly PlacedText[];
  /** The list of parts; null where the content is one text, or there is none. */
  readonly list: TextRange | null;
  readonly name: TextRange | null;
}

export interface PlacedText extends TextRange {
  /** Its index in a list of parts. */
  readonly part: number;
}

/** Where the texts of a request stand. */
export interface PlacedChat {
  readonly messages: readonly PlacedMessage[];
  readonly user: TextRange | null;
}

const [OPEN_BRACE, OPEN_BRACKET, CLOSE_BRACKET, COMMA] = [0x7b, 0x5b, 0x5d, 0x2c];
/** Values that nothing is looked for in: short numbers, and words. */
const NOT_TEXT = /^(?:null|true|false|-?[0-9.]{1,5})$/;

/** A range of the text that was scanned, which may be an outline. */
interface Mark {
  readonly start: number;
  readonly end: number;
}

interface MarkedMessage {
  role: string | null;
  hasContent: boolean;
  list: Mark | null;
  readonly texts: (Mark & { readonly part: number })[];
  name: Mark | null;
}

/** Reads the members of an object that begins at `from`. Returns one past its end; null where `take` returns false, or a key has escapes. */
function eachMember(
  text: string,
  from: number,
  take: (key: string, valueStart: number, valueEnd: number) => boolean,
): number | null {
  let at = skipSpace(text, from + 1);
  while (text.charCodeAt(at) === QUOTE) {
    const keyEnd = skipString(text, at);
    const key = text.slice(at + 1, keyEnd - 1);
    if (key.includes('\\')) return null;
    const valueStart = skipSpace(text, skipSpace(text, keyEnd) + 1);
    const valueEnd = skipValue(text, valueStart);
    if (!take(key, valueStart, valueEnd)) return null;
    at = skipSpace(text, valueEnd);
    if (text.charCodeAt(at) === COMMA) at = skipSpace(text, at + 1);
  }
  return at + 1;
}

/** Reads the objects of a list that begins at `from`. False where `take` returns null, or there is anything else in it. */
function eachObject(text: string, from: number, take: (start: number) => number | null): boolean {
  let at = skipSpace(text, from + 1);
  while (text.charCodeAt(at) !== CLOSE_BRACKET) {
    if (text.charCodeAt(at) !== OPEN_BRACE) return false;
    const end = take(at);
    if (end === null) return false;
    at = skipSpace(text, end);
    if (text.charCodeAt(at) === COMMA) at = skipSpace(text, at + 1);
  }
  return true;
}

const isString = (text: string, at: number) => text.charCodeAt(at) === QUOTE;
const insideOf = (start: number, end: number): Mark => ({ start: start + 1, end: end - 1 });

function markParts(text: string, from: number, message: MarkedMessage): boolean {
  let part = 0;
  return eachObject(text, from, (start) => {
    let found: Mark | null = null;
    const end = eachMember(text, start, (key, valueStart, valueEnd) => {
      if (key !== 'text') return true;
      if (found !== null || !isString(text, valueStart)) return false;
      found = insideOf(valueStart, valueEnd);
      return true;
    });
    if (found !== null) message.texts.push({ ...(found as Mark), part });
    part++;
    return end;
  });
}

function markContent(text: string, start: number, end: number, message: MarkedMessage): boolean {
  if (message.hasContent) return false;
  message.hasContent = true;
  if (isString(text, start)) {
    message.texts.push({ ...insideOf(start, end), part: 0 });
    return true;
  }
  if (text.charCodeAt(start) !== OPEN_BRACKET) return text.startsWith('null', start);
  message.list = { start, end };
  return markParts(text, start, message);
}

function markMessage(text: string, from: number, messages: MarkedMessage[]): number | null {
  const message: MarkedMessage = { role: null, hasContent: false, list: null, texts: [], name: null };
  messages.push(message);
  return eachMember(text, from, (key, start, end) => {
    switch (key) {
      case 'role':
        if (message.role !== null || !isString(text, start)) return false;
        message.role = text.slice(start + 1, end - 1);
        // What tools return is read as JSON where it is some.
        return message.role !== 'tool' && !message.role.includes('\\');
      case 'content':
        return markContent(text, start, end, message);
      case 'name':
        if (message.name !== null || !isString(text, start)) return false;
        message.name = insideOf(start, end);
        return true;
      case 'tool_calls':
        return text.startsWith('null', start);
      default:
        return true;
    }
  });
}

const isTextField: ReadonlySet<string> = new Set<string>(['prompt', 'tools', ...otherTextFields]);

/** A range of the text that was scanned as one of the bytes. */
const rangeIn = (outline: JsonOutline | null, { start, end }: Mark): TextRange =>
  outline === null ? { start, end } : { start: outline.placeInSource(start), end: outline.placeInSource(end) };

/** Finds the texts of a checked request by their places; null where it holds any that are not plain, or keys that stand twice. */
export function placeTexts(json: CheckedJson): PlacedChat | null {
  const { latin1: text } = json;
  const { members, duplicates } = scanObject(text);
  if (duplicates) return null;
  const marked: MarkedMessage[] = [];
  let user: Mark | null = null;
  for (const { key, valueStart, end } of members) {
    if (key === 'messages') {
      if (text.charCodeAt(valueStart) !== OPEN_BRACKET) return null;
      if (!eachObject(text, valueStart, (start) => markMessage(text, start, marked))) return null;
    } else if (key === 'user' && isString(text, valueStart)) user = insideOf(valueStart, end);
    else if (interfaceFields.has(key) && !isTextField.has(key)) continue;
    else if (end - valueStart > 6 || !NOT_TEXT.test(text.slice(valueStart, end))) return null;
  }
  if (marked.length === 0 || marked.some(({ role }) => role === null)) return null;
  const { outline } = json;
  return {
    messages: marked.map(({ role, texts, list, name }) => ({
      role: role ?? '',
      texts: texts.map((mark) => {
        const { start, end } = rangeIn(outline, mark);
        return { part: mark.part, start, end };
      }),
      list: list && rangeIn(outline, list),
      name: name && rangeIn(outline, name),
    })),
    user: user && rangeIn(outline, user),
  };
}

/** A text as it stands in the bytes, without its quotes. */
export function textAt(bytes: Buffer, { start, end }: TextRange): string {
  const raw = bytes.toString('utf8', start, end);
  return raw.includes('\\') ? (JSON.parse(`"${raw}"`) as string) : raw;
}

/** The value at a place. */
export const valueAt = (bytes: Buffer, { start, end }: TextRange): unknown =>
  JSON.parse(bytes.toString('utf8', start, end)) as unknown;
