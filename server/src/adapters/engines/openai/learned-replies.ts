import { reasoningKeys } from '@ai-studio/contract/chat/reasoning-keys.ts';
import { QUOTE, scanObject, skipSpace, skipString, skipValue } from '../../../kernel/json-scan.ts';
import { type JsonObject, asArray, asObject, asText } from './json.ts';

/** What of a reply may be another in the next one: the inside of a string, a number without sign or fraction, or any value. */
type Kind = 'text' | 'number' | 'value';

/** Where it stands in the object. */
type Owner = 'top' | 'message' | 'usage';

interface Gap {
  readonly owner: Owner;
  readonly key: string;
  readonly kind: Kind;
  readonly start: number;
  readonly end: number;
}

/** The form of a reply: what stands between its gaps, and the object that it is, without what stands in them. */
interface Form {
  /** What stands before each gap, and behind the last one. */
  readonly between: readonly string[];
  readonly gaps: readonly Gap[];
  readonly top: JsonObject;
  readonly choice: JsonObject;
  readonly message: JsonObject;
  readonly usage: JsonObject | null;
}

/** With and without thinking, and for each some reasons to end. */
const MAX_FORMS = 6;

/** A server whose replies differ each time in something else is not worth learning from for longer. */
const MAX_UNUSED = 12;

/** What is longer has texts of other kinds, which are others each time. */
const MAX_FORM_CHARS = 2048;

const textKeys: ReadonlySet<string> = new Set(['content', ...reasoningKeys]);
const wholeNumber = /^(?:0|[1-9][0-9]{0,14})$/;
const MAX_DIGITS = 15;
const [ZERO, NINE, OPEN_BRACE] = [0x30, 0x39, 0x7b];
// oxlint-disable-next-line no-control-regex
const controlCharacter = /[\u0000-\u001f]/;
/** What may stand behind a backslash, but for the number of a character. */
const escapes: ReadonlySet<number> = new Set(Array.from('"\\/bfnrt', (letter) => letter.charCodeAt(0)));

const isDigit = (unit: number) => unit >= ZERO && unit <= NINE;

/** The gap that a member is; null where its value is part of the form. */
function gapOf(text: string, owner: Owner, key: string, start: number, end: number): Gap | null {
  const isCount = owner === 'usage' || key === 'created';
  const first = text.charCodeAt(start);
  if (first === QUOTE)
    return isCount || (owner === 'message' && !textKeys.has(key))
      ? null
      : { owner, key, kind: 'text', start: start + 1, end: end - 1 };
  if (!isCount) return null;
  if (first === OPEN_BRACE) return { owner, key, kind: 'value', start, end };
  return wholeNumber.test(text.slice(start, end)) ? { owner, key, kind: 'number', start, end } : null;
}

/** Adds the gaps of an object at `from` in the order in which they stand; false where one of its keys stands there twice. */
function addGaps(text: string, from: number, owner: Owner, gaps: Gap[]): boolean {
  const { members, duplicates } = scanObject(text.slice(from, skipValue(text, from)));
  for (const { key, valueStart, end } of members) {
    const [start, behind] = [from + valueStart, from + end];
    const gap = owner === 'top' && key !== 'id' && key !== 'created' ? null : gapOf(text, owner, key, start, behind);
    if (gap) gaps.push(gap);
    else if (!addInner(text, start, owner, key, gaps)) return false;
  }
  return !duplicates;
}

/** Adds the gaps within a value that is none itself. */
function addInner(text: string, start: number, owner: Owner, key: string, gaps: Gap[]): boolean {
  if (owner !== 'top') return true;
  if (key === 'usage' && text.charCodeAt(start) === OPEN_BRACE) return addGaps(text, start, 'usage', gaps);
  if (key !== 'choices') return true;
  const choice = skipSpace(text, start + 1);
  const { members, duplicates } = scanObject(text.slice(choice, skipValue(text, choice)));
  const message = members.find((member) => member.key === 'message');
  return !duplicates && message !== undefined && addGaps(text, choice + message.valueStart, 'message', gaps);
}

/** In memory of its own: a part of a text would keep all of it. */
const ownCopy = (text: string): string => Buffer.from(text, 'latin1').toString('latin1');

const without = (object: JsonObject, owner: Owner, gaps: readonly Gap[]): JsonObject => ({
  ...object,
  ...Object.fromEntries(gaps.filter((gap) => gap.owner === owner).map(({ key }) => [key, null])),
});

/** The form of a reply whose texts are all it has of worth; null where it has one that is not known here. */
function formOf(text: string, value: unknown): Form | null {
  const top = asObject(value);
  const [given, ...others] = asArray(top?.['choices']);
  const choice = asObject(given);
  const message = asObject(choice?.['message']);
  if (!top || !choice || !message || others.length > 0) return null;
  // Such texts are joined to others.
  if (Array.isArray(message['content']) || asText(message['refusal']) !== null) return null;
  const gaps: Gap[] = [];
  if (!addGaps(text, skipSpace(text, 0), 'top', gaps)) return null;
  const usage = asObject(top['usage']);
  const between = [...gaps, null].map((gap, i) => ownCopy(text.slice(gaps[i - 1]?.end ?? 0, gap?.start)));
  if (between.join('').length > MAX_FORM_CHARS) return null;
  return {
    between,
    gaps,
    top: { ...without(top, 'top', gaps), choices: null, usage: null },
    choice: { ...choice, message: null },
    message: without(message, 'message', gaps),
    usage: usage && without(usage, 'usage', gaps),
  };
}

/** One past the digits of a whole number; `from` where none begins there. */
function endOfNumber(text: string, from: number): number {
  let at = from;
  while (isDigit(text.charCodeAt(at))) at++;
  const isNone = at - from > MAX_DIGITS || (at - from > 1 && text.charCodeAt(from) === ZERO);
  return isNone ? from : at;
}

/** Whether the inside of a string, which ends before the first quote that is not escaped, is right. There are no numbers of characters in it. */
function isSoundBody(body: string, mayHoldControls: boolean): boolean {
  if (mayHoldControls && controlCharacter.test(body)) return false;
  for (let at = body.indexOf('\\'); at >= 0; at = body.indexOf('\\', at + 2))
    if (!escapes.has(body.charCodeAt(at + 1))) return false;
  return true;
}

/** One past what stands in a gap that begins at `from`. */
function endOfGap(text: string, kind: Kind, from: number): number {
  if (kind === 'text') return skipString(text, from - 1) - 1;
  return kind === 'number' ? endOfNumber(text, from) : skipValue(text, from);
}

/** The number whose digits stand there; undefined for none. */
function numberAt(text: string, start: number, end: number): number | undefined {
  if (end === start) return undefined;
  let value = 0;
  for (let at = start; at < end; at++) value = value * 10 + text.charCodeAt(at) - ZERO;
  return value;
}

/** What stands in a gap; undefined where that is nothing that may. */
function readGap(text: string, kind: Kind, start: number, end: number, mayHoldControls: boolean): unknown {
  if (kind === 'number') return numberAt(text, start, end);
  if (end <= start && kind !== 'text') return undefined;
  const given = text.slice(start, end);
  if (kind === 'text') return isSoundBody(given, mayHoldControls) ? given : undefined;
  try {
    return JSON.parse(given) as unknown;
  } catch {
    return undefined;
  }
}

/** A reply of a form, as parsed but for its texts, which are the insides of their JSON strings; undefined where it has another form. */
function readForm(form: Form, text: string): unknown {
  const { between, gaps } = form;
  const message: Record<string, unknown> = { ...form.message };
  const usage: Record<string, unknown> | null = form.usage && { ...form.usage };
  // All texts are looked through at once; where there are any, they may be blanks of the layout.
  const mayHoldControls = controlCharacter.test(text);
  let at = 0;
  for (let i = 0; i < gaps.length; i++) {
    const { kind, owner, key } = gaps[i] as Gap;
    const before = between[i] as string;
    if (!text.startsWith(before, at)) return undefined;
    const start = at + before.length;
    at = endOfGap(text, kind, start);
    const found = readGap(text, kind, start, at, mayHoldControls);
    if (found === undefined) return undefined;
    if (owner === 'message') message[key] = found;
    else if (owner === 'usage' && usage) usage[key] = found;
  }
  const last = between[gaps.length] as string;
  if (at + last.length !== text.length || !text.startsWith(last, at)) return undefined;
  return { ...form.top, choices: [{ ...form.choice, message }], usage };
}

/**
 * Whole replies of one model at one server differ in their texts, counts and ids only. Once a reply was parsed, what stands between these
 * is kept; a later reply with the same around valid values has the same meaning, so that it is cut, not parsed. Replies are latin1
 * characters standing for UTF-8 bytes, without numbers of characters (\uXXXX).
 */
export class LearnedReplies {
  #forms: Form[] = [];
  #unusedCount = 0;

  /** A reply of a form learned before, its texts as the insides of their JSON strings; undefined for all others. */
  read(text: string): unknown {
    const forms = this.#forms;
    for (let i = 0; i < forms.length; i++) {
      const form = forms[i] as Form;
      const value = readForm(form, text);
      if (value === undefined) continue;
      if (i > 0) {
        forms.splice(i, 1);
        forms.unshift(form);
      }
      this.#unusedCount = 0;
      return value;
    }
    return undefined;
  }

  /** Remembers the form of a reply that was parsed, in which only its texts matter. */
  learn(text: string, value: unknown): void {
    if (this.#unusedCount >= MAX_UNUSED) return;
    const form = formOf(text, value);
    if (!form) return;
    this.#unusedCount++;
    this.#forms.unshift(form);
    if (this.#unusedCount === MAX_UNUSED) this.#forms = [];
    else if (this.#forms.length > MAX_FORMS) this.#forms.pop();
  }
}
