import type { RunEvent } from '@ai-studio/contract/agents/run.ts';
import { A2aEvent } from '@ai-studio/contract/a2a/v03.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyText } from '../../../test/support/any-text.ts';
import type { RunSnapshot } from '../runs/types.ts';
import { createInterfaceEventLines } from './events.ts';
import { followTask } from './follow.ts';

const at = '2026-01-02T03:04:05.678Z';
const run: RunSnapshot = {
  id: '0123456789abcdef0123456789abcdef',
  agentId: 'a',
  versionId: 'v',
  sessionId: 42,
  contextId: 'c0ffee',
  sessionType: 'api',
  state: 'submitted',
  input: { text: 'Hello', files: [], data: null, message_id: 'm-1' },
  answer: '',
  question: null,
  citations: [],
  parts: [],
  failure: null,
  usage: { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 },
  lastSeq: 1,
  createdAt: new Date(at),
  stateAt: new Date(at),
  endedAt: null,
};
const ended = (seq: number): RunEvent => ({ seq, at, type: 'state', state: 'completed' });

/** A log as `follow` gives it. */
async function* logOf(events: readonly RunEvent[]): AsyncGenerator<RunEvent, void> {
  for (const event of events) yield await Promise.resolve(event);
}

/** What a client gets of a log, line by line. */
async function streamOf(events: readonly RunEvent[], form: '0.3' | '1.0' = '0.3', id = '1'): Promise<string> {
  const lines = createInterfaceEventLines({ form, door: 'interface', id }, run, run);
  let text = '';
  const runs = { follow: () => logOf(events) };
  for await (const { event, last } of followTask(runs, run.id, 0, new AbortController().signal))
    text += lines.event(event, last);
  return text;
}

test('an event of a text, as the interface has it', async () => {
  const text = await streamOf([{ seq: 5, at, type: 'text', text: '안녕 "you"\n' }], '0.3', '"req-1"');
  expect(text).toBe(
    'id: 5\ndata: {"jsonrpc":"2.0","id":"req-1","result":{"kind":"status-update","taskId":"0123456789abcdef0123456789abcdef",' +
      '"contextId":"c0ffee","final":false,"status":{"state":"working","timestamp":"2026-01-02T03:04:05.678Z",' +
      '"message":{"kind":"message","messageId":"0123456789abcdef0123456789abcdef-5","role":"agent",' +
      '"parts":[{"kind":"text","text":"안녕 \\"you\\"\\n"}]}}}}\n\n',
  );
});

test('the last event has an empty text, and tells the session', async () => {
  const text = await streamOf([ended(9)]);
  expect(text).toBe(
    'id: 9\ndata: {"jsonrpc":"2.0","id":1,"result":{"kind":"status-update","taskId":"0123456789abcdef0123456789abcdef",' +
      '"contextId":"c0ffee","final":true,"status":{"state":"completed","timestamp":"2026-01-02T03:04:05.678Z",' +
      '"message":{"kind":"message","messageId":"0123456789abcdef0123456789abcdef-9","role":"agent",' +
      '"parts":[{"kind":"text","text":""}]}},"metadata":{"chat_session_id":42}}}\n\n',
  );
});

test('the same in the 1.0 form: no kind, no final', async () => {
  const text = await streamOf([{ seq: 5, at, type: 'text', text: 'x' }, ended(6)], '1.0');
  expect(text).toBe(
    'id: 5\ndata: {"jsonrpc":"2.0","id":1,"result":{"statusUpdate":{"taskId":"0123456789abcdef0123456789abcdef","contextId":"c0ffee",' +
      '"status":{"state":"TASK_STATE_WORKING","timestamp":"2026-01-02T03:04:05.678Z","message":{"messageId":"0123456789abcdef0123456789abcdef-5",' +
      '"role":"ROLE_AGENT","parts":[{"text":"x"}]}}}}}\n\n' +
      'id: 6\ndata: {"jsonrpc":"2.0","id":1,"result":{"statusUpdate":{"taskId":"0123456789abcdef0123456789abcdef","contextId":"c0ffee",' +
      '"status":{"state":"TASK_STATE_COMPLETED","timestamp":"2026-01-02T03:04:05.678Z","message":{"messageId":"0123456789abcdef0123456789abcdef-6",' +
      '"role":"ROLE_AGENT","parts":[{"text":""}]}},"metadata":{"chat_session_id":42}}}}\n\n',
  );
});

const eventsOf = (stream: string) =>
  stream
    .split('\n\n')
    .filter((part) => part !== '')
    .map((part) =>
      A2aEvent.parse(
        JSON.parse(
          part
            .split('\n')
            .find((line) => line.startsWith('data: '))
            ?.slice(6) ?? '',
        ),
      ),
    );
const textOf = (stream: string) =>
  eventsOf(stream)
    .flatMap(({ result }) => result.status.message.parts)
    .map(({ text }) => text)
    .join('');

test('texts of any log, joined, are the answer; steps and questions that were answered tell callers nothing', async () => {
  const other = fc.constantFrom<RunEvent>(
    { seq: 0, at, type: 'step_begin', step: 's', node: 's', kind: 'model' },
    { seq: 0, at, type: 'step_end', step: 's', node: 's', state: 'done', ms: 1, tokens: 2 },
    { seq: 0, at, type: 'state', state: 'working' },
    { seq: 0, at, type: 'state', state: 'input-required', question: 'Which?' },
    { seq: 0, at, type: 'citations', citations: [] },
  );
  const piece = anyText().map((text): RunEvent => ({ seq: 0, at, type: 'text', text }));
  await fc.assert(
    fc.asyncProperty(fc.array(fc.oneof(piece, other)), async (bodies) => {
      const log = bodies.map((body, index) => ({ ...body, seq: index + 1 }));
      const stream = await streamOf([...log, ended(log.length + 1)]);
      expect(textOf(stream)).toBe(log.map((event) => (event.type === 'text' ? event.text : '')).join(''));
      expect(eventsOf(stream).map(({ result }) => result.final)).toEqual([
        ...Array<boolean>(eventsOf(stream).length - 1).fill(false),
        true,
      ]);
    }),
  );
});

test('a question that waits comes as text, then the stream ends', async () => {
  const stream = await streamOf([
    { seq: 1, at, type: 'text', text: 'So: ' },
    { seq: 2, at, type: 'state', state: 'input-required', question: 'Which?' },
  ]);
  expect(textOf(stream)).toBe('So: Which?');
  expect(eventsOf(stream).at(-1)?.result).toMatchObject({
    final: true,
    status: { state: 'input-required', message: { parts: [{ text: '' }] } },
    metadata: { chat_session_id: 42 },
  });
  // Each message has an id of its own, also as a place to go on from.
  expect(eventsOf(stream).map(({ result }) => result.status.message.messageId)).toEqual([
    `${run.id}-1`,
    `${run.id}-q2`,
    `${run.id}-2`,
  ]);
  const rest = createInterfaceEventLines({ form: '0.3', door: 'interface', id: '1' }, run, run, 1.5);
  const event = { seq: 2, at, type: 'state', state: 'input-required', question: 'Which?' } as const;
  expect(textOf(rest.event(event, true))).toBe('');
  // Who was cut between both gets both.
  expect(stream.match(/^id: .*$/gm)).toEqual(['id: 1', 'id: 2']);
});

test('citations and failures stand in the last event', async () => {
  const citation = {
    number: 1,
    collection_id: 'c',
    document_id: 'd',
    document_name: 'n.pdf',
    chunk_id: 'k',
    page: 2,
    title: '',
    content: 'x',
    score: 0.5,
  };
  const stream = await streamOf([
    { seq: 1, at, type: 'citations', citations: [citation] },
    { seq: 2, at, type: 'state', state: 'failed', failure: { code: 'internal', message: 'It broke', node: 'model' } },
  ]);
  expect(eventsOf(stream).at(-1)?.result).toMatchObject({
    final: true,
    status: { state: 'failed', message: { parts: [{ text: '' }] } },
    metadata: { chat_session_id: 42, citations: [citation], error: { code: -32603, message: 'It broke' } },
  });
});
