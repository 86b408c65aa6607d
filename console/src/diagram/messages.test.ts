import { expect, test } from 'vitest';
import { readReply, readRequest } from './messages.ts';

test('a frame and its page take what they tell each other, and nothing else', () => {
  expect(readRequest({ source: 'graph TD', dark: true, more: 1 })).toEqual({ source: 'graph TD', dark: true });
  for (const other of [null, 'x', [], { source: 1, dark: true }, { source: 'x' }])
    expect(readRequest(other)).toBeNull();
  expect(readReply({ ready: true })).toEqual({ ready: true });
  expect(readReply({ height: 40.5 })).toEqual({ height: 40.5 });
  expect(readReply({ height: null })).toEqual({ height: null });
  for (const other of [
    null,
    {},
    { ready: 1 },
    { height: -1 },
    { height: 1e9 },
    { height: Number.NaN },
    { height: '5' },
  ])
    expect(readReply(other)).toBeNull();
});
