import { defaultGuardPolicy, type GuardPolicy } from '@ai-studio/contract/utilities/guard.ts';
import { expect, test } from 'vitest';
import type { Principal } from '../../kernel/actor.ts';
import type { TenantId } from '../../kernel/context.ts';
import { createSecretBox } from '../../kernel/secret-box.ts';
import { createPrivacyGuard, findPii } from '../index.ts';
import { guardChat } from './guard-chat.ts';
import { hideInError } from './hide-error.ts';

const RRN = '960121-1234567';
const policy: GuardPolicy = { ...defaultGuardPolicy, mode: 'mask', types: ['RRN'] };
const guard = createPrivacyGuard({
  box: createSecretBox(Buffer.alloc(32, 7)),
  search: { find: (text, findPolicy) => Promise.resolve(findPii(text, findPolicy)) },
  counts: { add: () => undefined },
});
const actorOf = (keyId: string): Principal => ({ tenantId: 'ours' as TenantId, keyId, userId: null });

/** What a model is sent of a request, and the tokens of its values. */
async function guarded(
  request: object,
  { keyId = 'key', conversation }: { keyId?: string; conversation?: string } = {},
) {
  const body = Buffer.from(JSON.stringify(request));
  const chat = await guardChat(guard, actorOf(keyId), { policy, source: 'chat', body, conversation });
  return { chat, body, sent: JSON.parse(chat.body.toString('utf8')) as unknown, tokens: [...chat.values.keys()] };
}
const asked = (first: string, next = '') => ({
  messages: [
    { role: 'user', content: first },
    { role: 'user', content: `${next} 주민번호 ${RRN}` },
  ],
});

test('a value has one token in the calls of a conversation, and another in those of others', async () => {
  const { tokens, chat } = await guarded(asked('one'));
  expect(tokens).toEqual([expect.stringMatching(/^\[RRN_\w{8}\]$/)]);
  expect(chat.values.get(tokens[0] ?? '')).toBe(RRN);
  expect((await guarded(asked('one', 'and then'))).tokens).toEqual(tokens);
  expect((await guarded(asked('two'))).tokens).not.toEqual(tokens);
  expect((await guarded(asked('one'), { keyId: 'other' })).tokens).not.toEqual(tokens);
  const named = await guarded(asked('one'), { conversation: 'c' });
  expect(named.tokens).not.toEqual(tokens);
  expect((await guarded(asked('two'), { conversation: 'c' })).tokens).toEqual(named.tokens);
});

test('parts of a message and a list of prompts are masked one by one', async () => {
  const image = { type: 'image_url', image_url: { url: 'data:,' } };
  const parts = await guarded({ messages: [{ role: 'user', content: [{ type: 'text', text: RRN }, image] }] });
  expect(parts.sent).toEqual({
    messages: [{ role: 'user', content: [{ type: 'text', text: parts.tokens[0] }, image] }],
  });
  const prompts = await guarded({ prompt: ['Hi', RRN] });
  expect(prompts.sent).toEqual({ prompt: ['Hi', prompts.tokens[0]] });
});

test('fields beyond the interface, which may go on to an engine, are masked too', async () => {
  const { sent, tokens, chat } = await guarded({
    messages: [{ role: 'user', content: 'Hi' }],
    documents: [{ title: 'a', text: `주민번호 ${RRN}` }],
    guided_json: { enum: [RRN, 'other'] },
    priority: 3,
  });
  expect(tokens).toHaveLength(1);
  expect(chat.summary).toBe('RRN=1');
  expect(sent).toEqual({
    messages: [{ role: 'user', content: 'Hi' }],
    documents: [{ title: 'a', text: `주민번호 ${tokens[0]}` }],
    guided_json: { enum: [tokens[0], 'other'] },
    priority: 3,
  });
});

test('a request without personal values passes as the very bytes that came', async () => {
  const { chat, body } = await guarded({ messages: [{ role: 'user', content: 'Hi' }] });
  expect(chat).toMatchObject({ restore: null, summary: '' });
  expect(chat.body).toBe(body);
});

test('what is thrown and is no error is hidden where it is a text', () => {
  const hide = (text: string) => text.replace(RRN, '*');
  expect(hideInError(`no ${RRN}`, hide)).toBe('no *');
  expect(hideInError(7, hide)).toBe(7);
});
