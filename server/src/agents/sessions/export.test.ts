import type { AgentRun } from '@ai-studio/contract/console/agent-talks.ts';
import { expect, test } from 'vitest';
import { sessionMarkdown } from './export.ts';

const run = (more: object) =>
  ({
    id: 'r',
    state: 'completed',
    text: 'Hello',
    files: [],
    answer: '',
    question: null,
    exchanges: [],
    citations: [],
    parts: [],
    failure: null,
    created_at: '2026-07-01T15:30:00.000Z',
    ...more,
  }) as unknown as AgentRun;
const read = (...runs: AgentRun[]) =>
  sessionMarkdown(
    { title: 'A talk', createdAt: '2026-07-01T15:30:00.000Z', agent: 'Helper', runs },
    { language: 'en', timeZone: 'UTC', mark: { ko: 'AI가 만듦', en: 'Made by AI' } },
  ).split('\n\n');

test('a session is written with its questions, answers by the name of the agent, files, sources and the mark of AI', () => {
  const parts = [
    { kind: 'data', id: '1', name: 'rows', data: [] },
    { kind: 'file', id: '2', file: { id: 'f', name: 'report.md' } },
  ];
  const citations = [{ number: 1, document_name: '규정.hwp', page: 3 }];
  expect(read(run({ files: [{ name: 'a.txt' }], answer: 'So [1].', parts, citations }))).toEqual([
    '# A talk',
    'July 1, 2026 at 3:30 PM',
    'Times are those of UTC',
    'Answers: Made by AI',
    '## Question',
    '*July 1, 2026 at 3:30 PM*',
    'Files: a.txt',
    'Hello',
    '## Answer (Helper)',
    'Files: report.md',
    'So [1].',
    'Sources:',
    '- [1] 규정.hwp, p. 3\n',
  ]);
});

test('what the agent asked and was told stands where it was; what failed or was stopped says so', () => {
  const asked = { question: 'Which?', text: 'Red', at: 4 };
  expect(read(run({ answer: 'One.Two.', exchanges: [asked] })).slice(4)).toEqual([
    '## Question',
    '*July 1, 2026 at 3:30 PM*',
    'Hello',
    '## Answer (Helper)',
    'One.',
    'Which?',
    '## Question',
    '*July 1, 2026 at 3:30 PM*',
    'Red',
    '## Answer (Helper)',
    'Two.\n',
  ]);
  expect(read(run({ state: 'failed', failure: { message: 'No model' } })).at(-1)).toBe('*No model*\n');
  expect(read(run({ state: 'canceled', answer: 'Half' })).at(-1)).toBe('*Stopped.*\n');
  expect(read(run({ state: 'input-required', question: 'Which?' })).at(-1)).toBe('Which?\n');
});
