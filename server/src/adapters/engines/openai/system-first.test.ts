import type { Message } from '@ai-studio/contract/chat/request.ts';
import { expect, test } from 'vitest';
import { refusesLateSystem, withSystemFirst } from './system-first.ts';

const system = (content: string): Message => ({ role: 'system', content });
const user = (content: string): Message => ({ role: 'user', content });

test.each([
  ['System message must be at the beginning.', true],
  ['Jinja Exception: System message must be at the beginning.', true],
  ['invalid params, only one system message is allowed', true],
  ['Unexpected message role.', false],
  [null, false],
] as const)('a refusal for the place of a system message: %s', (message, is) => {
  expect(refusesLateSystem(message)).toBe(is);
});

test('system messages at the beginning become one, later ones are said by the user', () => {
  const developer: Message = { role: 'developer', content: [{ type: 'text', text: '둘' }] };
  expect(withSystemFirst([system('하나'), system('둘'), user('안녕')])).toEqual([system('하나\n\n둘'), user('안녕')]);
  expect(withSystemFirst([system('하나'), developer, user('안녕'), system('셋'), user('또')])).toEqual([
    {
      role: 'system',
      content: [
        { type: 'text', text: '하나' },
        { type: 'text', text: '둘' },
      ],
    },
    user('안녕'),
    user('셋'),
    user('또'),
  ]);
  expect(withSystemFirst([user('안녕'), system('하나')])).toEqual([user('안녕'), user('하나')]);
});

test('messages that are so already stay', () => {
  for (const messages of [[user('안녕')], [system('하나'), user('안녕')], [system('하나')], []])
    expect(withSystemFirst(messages)).toBeNull();
});
