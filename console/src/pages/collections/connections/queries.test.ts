import type { Connector } from '@ai-studio/contract/retrieval/connector.ts';
import { expect, test } from 'vitest';
import { isMoving } from './queries.ts';

const run = (state: 'running' | 'failed' | 'done') => ({ state }) as Connector['last_run'];

test.each([
  ['one that runs', { removing: false, last_run: run('running') }, true],
  ['one that ran', { removing: false, last_run: run('done') }, false],
  ['one that never ran', { removing: false, last_run: null }, false],
  ['one that goes', { removing: true, last_run: run('running') }, true],
  ['one that goes and whose run has gone before it', { removing: true, last_run: null }, true],
  ['one that could not go', { removing: true, last_run: run('failed') }, false],
])('%s is looked at again as long as more is to come', (_, connector, wanted) => {
  expect(isMoving(connector)).toBe(wanted);
});
