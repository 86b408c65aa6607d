import { expect, test } from 'vitest';
import { settingsOf } from './settings-form.ts';

test('what is not understood falls back alone', () => {
  const row = { require_second_factor: true, allowed_models: ['LLM42'], max_keys: 'many', accent: 'plaid', later: 1 };
  expect(settingsOf('기관', row)).toMatchObject({
    name: '기관',
    require_second_factor: true,
    allowed_models: ['LLM42'],
    max_keys: 100,
    accent: null,
  });
  for (const nothing of [null, undefined, 'x', 3, []])
    expect(settingsOf('a', nothing)).toMatchObject({ require_second_factor: false, session_idle_hours: 72 });
});
