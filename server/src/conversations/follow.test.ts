import type { ConversationMessage, TurnEvent } from '@ai-studio/contract/console/conversations.ts';
import { getEventListeners } from 'node:events';
import { describe, expect, test } from 'vitest';
import { databaseUnavailable } from '../ports/database.ts';
import { type AnswerSource, followAnswer, pollStoredAnswer } from './follow.ts';

const running = { id: 'm1', role: 'assistant', content: '', reasoning: null, state: 'running' } as ConversationMessage;
const question = { id: 'q1', role: 'user', content: 'Why?' } as ConversationMessage;

/** An answer that a test changes. */
function setting(first: Partial<ConversationMessage> = {}) {
  let message = { ...running, ...first };
  let change = Promise.withResolvers<void>();
  let version = 0;
  const asked: number[] = [];
  const source: AnswerSource = {
    title: 'Title',
    message: () => message,
    get version() {
      return version;
    },
    changed(seen) {
      asked.push(seen);
      return seen === version ? change.promise : Promise.resolve();
    },
  };
  const set = (more: Partial<ConversationMessage>) => {
    message = { ...message, ...more };
    version++;
    change.resolve();
    change = Promise.withResolvers();
  };
  const reader = new AbortController();
  const events = followAnswer(source, question, reader.signal);
  const next = async (): Promise<TurnEvent | undefined> => (await events.next()).value ?? undefined;
  return { set, next, events, reader, asked };
}

describe('who follows an answer', () => {
  test('is told where it stands, what comes from then on, and how it ended', async () => {
    const { set, next } = setting({ content: 'One', reasoning: 'Hm' });
    expect(await next()).toMatchObject({ type: 'start', question, answer: { content: 'One', reasoning: 'Hm' } });
    set({ content: 'One two', reasoning: 'Hm, so' });
    expect(await next()).toEqual({ type: 'reasoning', id: 'm1', text: ', so' });
    expect(await next()).toEqual({ type: 'content', id: 'm1', text: ' two' });
    const waiting = next();
    set({ content: 'One two three' });
    expect(await waiting).toEqual({ type: 'content', id: 'm1', text: ' three' });
    set({ state: 'done' });
    expect(await next()).toMatchObject({ type: 'end', title: 'Title', answer: { state: 'done' } });
    expect(await next()).toBeUndefined();
  });

  test('gets in one piece what came while they read, the end with it', async () => {
    const { set, next } = setting();
    await next();
    set({ reasoning: 'a' });
    set({ reasoning: 'ab' });
    set({ content: 'c', state: 'failed' });
    expect(await next()).toEqual({ type: 'reasoning', id: 'm1', text: 'ab' });
    expect(await next()).toEqual({ type: 'content', id: 'm1', text: 'c' });
    expect(await next()).toMatchObject({ type: 'end', answer: { state: 'failed' } });
  });

  test('waits for a change of what they have seen, not of what came meanwhile', async () => {
    const { set, next, asked } = setting();
    await next();
    set({ content: 'a' });
    expect(await next()).toEqual({ type: 'content', id: 'm1', text: 'a' });
    set({ content: 'ab' });
    expect(await next()).toEqual({ type: 'content', id: 'm1', text: 'b' });
    expect(asked).toEqual([1]);
  });

  test('is told of no end once they are gone, whether they wait or read', async () => {
    const waits = setting();
    await waits.next();
    const waiting = waits.next();
    waits.reader.abort();
    expect(await waiting).toBeUndefined();
    const reads = setting();
    await reads.next();
    reads.set({ content: 'a' });
    await reads.next();
    reads.reader.abort();
    expect(await reads.next()).toBeUndefined();
    const late = setting();
    late.reader.abort();
    expect((await late.next())?.type).toBe('start');
    expect(await late.next()).toBeUndefined();
  });

  test('leaves nothing behind at their signal', async () => {
    const { set, next, reader } = setting();
    await next();
    for (const content of ['a', 'ab', 'abc']) {
      const waiting = next();
      set({ content });
      await waiting;
    }
    expect(getEventListeners(reader.signal, 'abort')).toHaveLength(0);
  });
});

test('an answer of another process is read anew with each change, and one that is gone was stopped with what came', async () => {
  const stored: (ConversationMessage | null)[] = [{ ...running, content: 'One' }, null];
  const source = pollStoredAnswer(running, 'Title', () => Promise.resolve(stored.shift() ?? null));
  expect(source).toMatchObject({ title: 'Title', version: 0 });
  expect(source.message()).toBe(running);
  await source.changed(0);
  expect(source.version).toBe(1);
  expect(source.message()).toEqual({ ...running, content: 'One' });
  await source.changed(1);
  expect(source.version).toBe(2);
  expect(source.message()).toEqual({ ...running, content: 'One', state: 'stopped' });
});

test('an answer of another process is followed on through a loss of the database', async () => {
  const reads = [() => Promise.reject(databaseUnavailable(new Error('ECONNREFUSED'))), () => Promise.resolve(running)];
  const source = pollStoredAnswer(
    { ...running, content: 'One' },
    'Title',
    () => reads.shift()?.() ?? Promise.resolve(null),
  );
  await source.changed(0);
  expect(source.message()).toEqual({ ...running, content: 'One' });
  await source.changed(1);
  expect(source.message()).toEqual(running);
});
