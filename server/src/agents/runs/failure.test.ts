import type { AgentNodeForm } from '@ai-studio/contract/agents/definition.ts';
import { expect, test } from 'vitest';
import { silent } from '../../../test/support/postgres.ts';
import { StudioError } from '../../kernel/errors.ts';
import { createFailureOf } from './failure.ts';

const node = (name: string) => ({ id: 'n1', name, kind: 'tool' }) as AgentNodeForm;

test('a failure names its node, by its id where it has no name; what nobody foresaw is in the log alone', () => {
  const logged: unknown[] = [];
  const failureOf = createFailureOf({ ...silent, error: (fields) => logged.push(fields) });
  const known = new StudioError('unavailable', 'It is away');
  expect(failureOf(known, node('Search'))).toEqual({ code: 'unavailable', message: 'Search: It is away', node: 'n1' });
  expect(failureOf(known, node('')).message).toBe('n1: It is away');
  expect(failureOf(known, null)).toEqual({ code: 'unavailable', message: 'It is away', node: null });
  expect(logged).toEqual([]);
  const bug = new TypeError('secret');
  const { code, message } = failureOf(bug, node('Search'));
  expect(code).toBe('internal');
  expect(message).not.toContain('secret');
  expect(logged).toEqual([{ err: bug, node: 'n1' }]);
});

test('pages of words are cut, never within a character', () => {
  const failureOf = createFailureOf(silent);
  const { message } = failureOf(new StudioError('unavailable', '😀'.repeat(1_500)), { ...node('x'), name: '' });
  expect(message.isWellFormed()).toBe(true);
  expect(message.endsWith('…')).toBe(true);
  expect(message.length).toBeLessThanOrEqual(2_001);
});
