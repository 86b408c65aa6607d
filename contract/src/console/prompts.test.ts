import { expect, test } from 'vitest';
import { fillPrompt, promptVariables } from './prompts.ts';

test('variables are names in two braces, each once, in the order of the text', () => {
  expect(promptVariables('{{부서}} {{ 마감 날짜 }} {{부서}} {{a-b_1}}')).toEqual(['부서', '마감 날짜', 'a-b_1']);
  for (const none of ['{부서}', '{{}}', '{{ }}', '{{a.b}}', '{{a\nb}}', `{{${'x'.repeat(41)}}}`, '{{ -a }}'])
    expect(promptVariables(none), none).toEqual([]);
  const many = Array.from({ length: 30 }, (_, at) => `{{v${at}}}`).join('');
  expect(promptVariables(many)).toHaveLength(20);
});

test('values stand in their places as they are written, and what has none stays', () => {
  const text = '{{ 부서 }}에서 {{날짜}}까지: {{부서}}';
  expect(fillPrompt(text, { 부서: '$& {{날짜}}' })).toBe('$& {{날짜}}에서 {{날짜}}까지: $& {{날짜}}');
  expect(fillPrompt('{{constructor}}', {})).toBe('{{constructor}}');
  expect(fillPrompt('{{a}}', { a: '' })).toBe('');
});
