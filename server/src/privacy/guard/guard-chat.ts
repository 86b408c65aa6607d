import type { GuardPolicy, GuardSource } from '@ai-studio/contract/utilities/guard.ts';
import { hash } from 'node:crypto';
import { type Principal, subjectOf } from '../../kernel/actor.ts';
import type { ChatTexts } from './chat-text.ts';
import type { PrivacyGuard, GuardedTexts } from './guard.ts';
import type { Restorer } from './tokens.ts';

/** A chat request as it came, and the policy that it is held to. */
interface UnguardedChat {
  readonly policy: GuardPolicy;
  readonly source: GuardSource;
  readonly body: Buffer;
  /** Names the conversation; undefined where its first question does. */
  readonly conversation: string | undefined;
}

/** A chat request in the form in which the policy lets it pass to a model. */
export interface GuardedChat {
  /** The request's own bytes where nothing had to change. */
  readonly body: Buffer;
  /** Restores values in place of tokens in the reply; null where the request has no tokens. */
  readonly restore: { open(escaping: 'plain' | 'json'): Restorer; readonly jsonAnswer: boolean } | null;
  /** Values by token. */
  readonly values: ReadonlyMap<string, string>;
  /** The types found and the number of values of each, such as `RRN=1, PHONE=2`; empty where nothing was found. */
  readonly summary: string;
}

/**
 * Identifies a conversation by its first question, as clients send all of it with each call. So a value has the same token in all
 * calls of a conversation, and in no other conversation.
 */
function conversationKey({ messages, prompt }: ChatTexts, caller: string): string {
  const first = messages?.find(({ role }) => role === 'user')?.content ?? prompt ?? '';
  return `${caller} ${hash('sha256', JSON.stringify(first))}`;
}

const summarise = ({ found }: GuardedTexts) =>
  [...found]
    .map(([type, count]) => `${type}=${count}`)
    .toSorted()
    .join(', ');

const isJsonAnswer = ({ response_format: format }: ChatTexts) =>
  String((format as { type?: unknown } | null | undefined)?.type).startsWith('json_');

/**
 * Applies a policy to the texts of a validated body. Conversations of one actor are told apart by their first question, unless
 * `conversation` names one. Rejects with StudioError `unprocessable` where the policy refuses, and `unavailable`.
 */
export async function guardChat(
  guard: PrivacyGuard,
  actor: Principal,
  { policy, source, body, conversation }: UnguardedChat,
): Promise<GuardedChat> {
  const request = JSON.parse(body.toString('utf8')) as ChatTexts;
  const texts = guard.open(policy, {
    tenantId: actor.tenantId,
    source,
    conversation: () => conversation ?? conversationKey(request, subjectOf(actor)),
  });
  const masked = await texts.maskChat(request);
  texts.check();
  const restore = texts.changed
    ? { open: (escaping: 'plain' | 'json') => texts.unmaskStream(escaping), jsonAnswer: isJsonAnswer(request) }
    : null;
  return {
    body: restore ? Buffer.from(JSON.stringify(masked)) : body,
    restore,
    values: texts.values,
    summary: summarise(texts),
  };
}
