import type { GuardPolicy, GuardSource } from '@ai-studio/contract/utilities/guard.ts';
import { hash } from 'node:crypto';
import { type Principal, subjectOf } from '../../kernel/actor.ts';
import { type TextChange, changedBytes } from '../../kernel/json-splice.ts';
import type { ChatTexts } from './chat-text.ts';
import type { PrivacyGuard } from './guard.ts';
import type { GuardedTexts } from './guarded-texts.ts';
import { type CheckedJson, type PlacedChat, type TextRange, placeTexts, textAt, valueAt } from './placed-texts.ts';
import type { Restorer } from './tokens.ts';

/** A chat request as it came, and the policy that it is held to. */
interface UnguardedChat {
  readonly policy: GuardPolicy;
  readonly source: GuardSource;
  readonly body: Buffer;
  /** What was checked; only of use where that is this very body. */
  readonly checked?: CheckedJson;
  /** Names the conversation; undefined where its first question does. */
  readonly conversation: string | undefined;
}

/** A chat request in the form in which the policy lets it pass to a model. */
export class GuardedChat {
  /** Restores values in place of tokens in the reply; null where the request has no tokens. */
  readonly restore: { open(escaping: 'plain' | 'json'): Restorer; readonly jsonAnswer: boolean } | null;
  /** The texts of messages that stand in it instead of others, where nothing else has changed; null where more has. */
  readonly changes: readonly TextChange[] | null;
  readonly #texts: GuardedTexts;
  readonly #body: Buffer | (() => Buffer);

  constructor(
    texts: GuardedTexts,
    body: Buffer | (() => Buffer),
    { changes = null, jsonAnswer = false }: { changes?: GuardedChat['changes']; jsonAnswer?: boolean } = {},
  ) {
    this.#texts = texts;
    this.#body = body;
    this.changes = changes;
    this.restore = texts.changed ? { open: (escaping) => texts.unmaskStream(escaping), jsonAnswer } : null;
  }

  /** The request's own bytes where nothing had to change. */
  get body(): Buffer {
    return typeof this.#body === 'function' ? this.#body() : this.#body;
  }

  /** Values by token. */
  get values(): ReadonlyMap<string, string> {
    return this.#texts.values;
  }

  /** The types found and the number of values of each, such as `RRN=1, PHONE=2`; empty where nothing was found. */
  get summary(): string {
    return summarise(this.#texts);
  }
}

/**
 * Identifies a conversation by its first question, as clients send all of it with each call. So a value has the same token in all
 * calls of a conversation, and in no other conversation. `firstQuestion`: its JSON as `JSON.stringify` writes it.
 */
const conversationKey = (firstQuestion: string | Buffer, caller: string): string =>
  `${caller} ${hash('sha256', firstQuestion)}`;

const firstQuestionOf = ({ messages, prompt }: ChatTexts): string =>
  JSON.stringify(messages?.find(({ role }) => role === 'user')?.content ?? prompt ?? '');

/** Escapes that `JSON.stringify` writes in the same way. */
const isPlainEscape = (byte: number | undefined) =>
  byte !== undefined && '"\\bfnrt'.includes(String.fromCharCode(byte));

/** The JSON of a text, with its quotes; its own bytes where `JSON.stringify` would write the same. */
function jsonOf(bytes: Buffer, { start, end }: TextRange): string | Buffer {
  for (let at = bytes.indexOf(BACKSLASH, start); at >= 0 && at < end; at = bytes.indexOf(BACKSLASH, at + 2))
    if (!isPlainEscape(bytes[at + 1])) return JSON.stringify(textAt(bytes, { start, end }));
  return bytes.subarray(start - 1, end + 1);
}
const BACKSLASH = 0x5c;

function firstPlacedQuestion(bytes: Buffer, { messages }: PlacedChat): string | Buffer {
  const first = messages.find(({ role }) => role === 'user');
  if (first?.list) return JSON.stringify(valueAt(bytes, first.list));
  const [text] = first?.texts ?? [];
  return text ? jsonOf(bytes, text) : '""';
}

const summarise = ({ found }: GuardedTexts) =>
  found.size === 0
    ? ''
    : [...found]
        .map(([type, count]) => `${type}=${count}`)
        .toSorted()
        .join(', ');

const isJsonAnswer = ({ response_format: format }: ChatTexts) =>
  String((format as { type?: unknown } | null | undefined)?.type).startsWith('json_');

/**
 * Applies a policy to the texts of a validated body: in its bytes where it is plain, else to the parsed request, which is written anew.
 * Conversations of one actor are told apart by their first question, unless `conversation` names one. Rejects with StudioError
 * `unprocessable` where the policy refuses, and `unavailable`.
 */
export async function guardChat(
  guard: PrivacyGuard,
  actor: Principal,
  { policy, source, body, checked, conversation }: UnguardedChat,
): Promise<GuardedChat> {
  const open = (firstQuestion: () => string | Buffer) =>
    guard.open(policy, {
      tenantId: actor.tenantId,
      source,
      conversation: () => conversation ?? conversationKey(firstQuestion(), subjectOf(actor)),
    });
  const placed = checked?.bytes === body ? placeTexts(checked) : null;
  if (placed) {
    const texts = open(() => firstPlacedQuestion(body, placed));
    const { changes, onlyMessages } = await texts.maskInPlace(body, placed);
    texts.check();
    if (changes.length === 0) return new GuardedChat(texts, body);
    return new GuardedChat(texts, () => changedBytes(body, changes), { changes: onlyMessages ? changes : null });
  }
  const request = JSON.parse(body.toString('utf8')) as ChatTexts;
  const texts = open(() => firstQuestionOf(request));
  const masked = await texts.maskChat(request);
  texts.check();
  if (!texts.changed) return new GuardedChat(texts, body);
  return new GuardedChat(texts, Buffer.from(JSON.stringify(masked)), { jsonAnswer: isJsonAnswer(request) });
}
