import type { Conversation } from '@ai-studio/contract/console/conversations.ts';
import { expect, test } from 'vitest';
import { toMarkdown } from './export.ts';

const message = {
  id: 'm1',
  role: 'assistant',
  content: '',
  reasoning: null,
  state: 'done',
  error: null,
  model: 'm',
  files: [],
  citations: [],
  versions: ['m1'],
  created_at: '2026-07-01T15:30:00.000Z',
} as unknown as Conversation['messages'][number];
const conversation = (more: Partial<Conversation>, ...messages: Partial<typeof message>[]): Conversation =>
  ({
    id: 'c1',
    title: 'A title',
    system_prompt: null,
    created_at: '2026-07-01T15:30:00.000Z',
    ...more,
    messages: messages.map((one) => ({ ...message, ...one })),
  }) as Conversation;
const read = (of: Conversation, language: 'en' | 'ko' = 'en', timeZone = 'UTC') =>
  toMarkdown(of, { language, timeZone, mark: { ko: 'AI가 만듦', en: 'Made by AI' } }).split('\n\n');
/** Without title, moment, time zone and the mark of AI. */
const parts = (...messages: Partial<typeof message>[]) => read(conversation({}, ...messages)).slice(4);

test('a conversation begins with its title, its moment and the time zone of its reader', () => {
  expect(read(conversation({ title: 'A\n  title' }))).toEqual([
    '# A title',
    'July 1, 2026 at 3:30 PM',
    'Times are those of UTC',
    'Answers: Made by AI\n',
  ]);
  expect(read(conversation({}), 'ko')[3]).toBe('답변: AI가 만듦\n');
  expect(read(conversation({ title: '' }))[0]).toBe('# Conversation');
  expect(read(conversation({ title: '' }), 'ko')[0]).toBe('# 대화');
  expect(read(conversation({}), 'en', 'Nowhere/Else')[2]).toBe('Times are those of UTC');
});

test('the system prompt stands before the questions, where there is one', () => {
  expect(read(conversation({ system_prompt: 'Be kind.' }, { role: 'user', content: 'Hi' })).slice(4)).toEqual([
    '## System prompt',
    'Be kind.',
    '## Question',
    '*July 1, 2026 at 3:30 PM*',
    'Hi\n',
  ]);
});

test('thinking is quoted line by line, answers name their model', () => {
  expect(parts({ content: 'Yes', reasoning: 'First\n\nsecond' })).toEqual([
    '## Answer (m)',
    '> Thinking: First\n>\n> second',
    'Yes\n',
  ]);
  expect(parts({ content: 'Yes', model: null })).toEqual(['## Answer', 'Yes\n']);
  const fallback = { asked: 'n', reason: 'unavailable' } as const;
  expect(parts({ content: 'Yes', fallback })).toEqual(['## Answer (m, in place of n)', 'Yes\n']);
});

test('an answer that did not come to its end says so, with its reason where there is one', () => {
  expect(parts({ content: 'Half', state: 'stopped' })).toEqual(['## Answer (m)', 'Half', '*Stopped.*\n']);
  expect(parts({ state: 'failed' })).toEqual(['## Answer (m)', '*The answer failed.*\n']);
  expect(parts({ state: 'failed', error: 'Too long' })).toEqual(['## Answer (m)', '*Too long*\n']);
  expect(parts({ content: 'So far', state: 'running' })).toEqual(['## Answer (m)', 'So far\n']);
});

test('files of a question and sources of an answer are named', () => {
  expect(
    parts(
      { role: 'user', content: 'What?', files: [{ id: 'f', name: '보고서.hwp', size: 5, kind: 'document' }] },
      { content: 'This [1].', citations: [{ number: 1, document_name: '보고서.hwp', page: 3 }] },
    ),
  ).toEqual([
    '## Question',
    '*July 1, 2026 at 3:30 PM*',
    'Files: 보고서.hwp',
    'What?',
    '## Answer (m)',
    'This [1].',
    'Sources:',
    '- [1] 보고서.hwp, p. 3\n',
  ]);
});
