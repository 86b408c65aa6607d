import type { GuardPolicy, GuardSource } from '@ai-studio/contract/utilities/guard.ts';
import { hash } from 'node:crypto';
import type { TenantId } from '../../kernel/context.ts';
import type { Said } from './chat-text.ts';
import type { PrivacyGuard, GuardedTexts } from './guard.ts';
import type { Restorer } from './tokens.ts';

/** A chat request as a policy lets it go to a model. */
export interface GuardedChat {
  /** The very bytes that were given where nothing had to change. */
  readonly body: Buffer;
  /** Turns tokens of the answer back; null where the request has none. */
  readonly restore: { open(written: 'plain' | 'json'): Restorer; readonly jsonAnswer: boolean } | null;
  /** What stands behind the tokens of the request: values by token. */
  readonly values: ReadonlyMap<string, string>;
  /** Types that were found and how many values of each, such as `RRN=1, PHONE=2`; empty where there are none. */
  readonly summary: string;
}

/**
 * What the calls of a conversation have in common, where clients send all of it each time: its first question. So a value has
 * the same token in all of them, and in no other conversation.
 */
function markOf({ messages, prompt }: Said, caller: string): string {
  const first = messages?.find(({ role }) => role === 'user')?.content ?? prompt ?? '';
  return `${caller} ${hash('sha256', JSON.stringify(first))}`;
}

const summaryOf = ({ found }: GuardedTexts) =>
  [...found]
    .map(([type, count]) => `${type}=${count}`)
    .toSorted()
    .join(', ');

const isJsonAnswer = ({ response_format: format }: Said) =>
  String((format as { type?: unknown } | null | undefined)?.type).startsWith('json_');

/**
 * Looks through the texts of a body that was checked. `caller` is whose conversations share tokens, unless `conversation`
 * names one. Rejects with StudioError `unprocessable` where the policy refuses, `unavailable`.
 */
export async function guardChat(
  guard: PrivacyGuard,
  policy: GuardPolicy,
  caller: { readonly id: string; readonly tenantId: TenantId; readonly source?: GuardSource },
  body: Buffer,
  conversation?: string,
): Promise<GuardedChat> {
  const request = JSON.parse(body.toString('utf8')) as Said;
  const texts = guard.open(policy, {
    tenantId: caller.tenantId,
    source: caller.source ?? 'chat',
    conversation: conversation ?? markOf(request, caller.id),
  });
  const masked = await texts.maskChat(request);
  texts.check();
  const restore = texts.changed
    ? { open: (written: 'plain' | 'json') => texts.unmaskStream(written), jsonAnswer: isJsonAnswer(request) }
    : null;
  return {
    body: restore ? Buffer.from(JSON.stringify(masked)) : body,
    restore,
    values: texts.values,
    summary: summaryOf(texts),
  };
}
