import type { RunEvent } from '@ai-studio/contract/agents/run.ts';
import { expect, test } from 'vitest';
import type { RunSnapshot } from '../runs/types.ts';
import type { A2aTag } from './envelope.ts';
import type { ShownPart } from './parts.ts';
import { createPlainEventLines } from './plain-events.ts';

const at = '2026-01-02T03:04:05.678Z';
const run: RunSnapshot = {
  id: '0123456789abcdef0123456789abcdef',
  agentId: 'a',
  versionId: 'v',
  sessionId: 42,
  contextId: 'c0ffee',
  sessionType: 'api',
  state: 'working',
  input: { text: 'Hello', files: [], data: null, message_id: 'm-1' },
  answer: 'Be',
  question: null,
  citations: [],
  parts: [],
  failure: null,
  usage: { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 },
  lastSeq: 3,
  createdAt: new Date(at),
  stateAt: new Date(at),
  endedAt: null,
};
const rows: ShownPart = { kind: 'data', id: 'answer.0', name: 'rows', data: [1, 2] };
const file: ShownPart = {
  kind: 'file',
  id: 'answer.1',
  file: { id: 'f', name: 'a.txt', media_type: 'text/plain', size: 2 },
  base64: 'SGk=',
};
const v10: A2aTag = { form: '1.0', door: 'http_json', id: 'null' };
const v03: A2aTag = { form: '0.3', door: 'json_rpc', id: '1' };

const dataOf = (line: string) =>
  line
    .split('\n')
    .filter((one) => one.startsWith('data: '))
    .map((one) => JSON.parse(one.slice(6)) as Record<string, unknown>);
const part = (seq: number, shown: ShownPart): RunEvent => {
  if (shown.kind === 'data') return { seq, at, type: 'part', part: shown };
  const { base64: _, ...kept } = shown;
  return { seq, at, type: 'part', part: kept };
};

test('a stream that is gone on with begins with the parts so far, tells those that come, and ends with all of them', () => {
  const lines = createPlainEventLines(v10, run, run, [rows]);
  const first = { artifactId: 'answer.0', name: 'rows', parts: [{ data: [1, 2], mediaType: 'application/json' }] };
  const text = { artifactId: 'answer', parts: [{ text: 'Be' }] };
  expect(dataOf(lines.opening())).toMatchObject([{ task: { artifacts: [text, first] } }]);
  const second = {
    artifactId: 'answer.1',
    name: 'a.txt',
    parts: [{ raw: 'SGk=', filename: 'a.txt', mediaType: 'text/plain' }],
  };
  expect(dataOf(lines.event(part(4, file), false, file))).toMatchObject([
    { artifactUpdate: { taskId: run.id, artifact: second, append: false, lastChunk: true } },
  ]);
  // One that the caller does not take.
  expect(lines.event(part(5, file), false, null)).toBe('');
  expect(dataOf(lines.event({ seq: 6, at, type: 'state', state: 'completed' }, true)).at(-1)).toMatchObject({
    task: { artifacts: [text, first, second] },
  });
});

test('how far a document is read stands beside a status, which says nothing itself', () => {
  const progress: RunEvent = {
    seq: 4,
    at,
    type: 'progress',
    step: 'read',
    node: 'read',
    name: 'a.pdf',
    done: 3,
    total: 9,
  };
  const told = { progress: { node: 'read', name: 'a.pdf', done: 3, total: 9 } };
  const names = { taskId: run.id, contextId: run.contextId };
  expect(dataOf(createPlainEventLines(v10, run, run).event(progress, false))).toEqual([
    { statusUpdate: { ...names, status: { state: 'TASK_STATE_WORKING', timestamp: at }, metadata: told } },
  ]);
  const status = { state: 'working', timestamp: at };
  expect(dataOf(createPlainEventLines(v03, run, run).event(progress, false))).toEqual([
    { jsonrpc: '2.0', id: 1, result: { kind: 'status-update', ...names, final: false, status, metadata: told } },
  ]);
});
