import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { countTurns } from '../../../test/support/turns.ts';
import type { A2aCall, SendCall } from './calls.ts';
import { hashOf } from './content.ts';
import { openEnvelope } from './envelope.ts';
import { A2aError } from './errors.ts';
import { type ReadCall, readCall } from './read-calls.ts';

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

function readWhole(method: string, params: unknown, more: object = {}): ReadCall {
  const opened = openEnvelope(Buffer.from(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params, ...more })), '0.3');
  if (!opened.ok) throw opened.error;
  return readCall(opened.envelope);
}
const read = (method: string, params: unknown): A2aCall => readWhole(method, params).call;
function refused(method: string, params: unknown): { readonly kind: string; readonly detail: string } {
  try {
    read(method, params);
  } catch (error) {
    if (error instanceof A2aError) return { kind: error.kind, detail: error.message };
    throw error;
  }
  throw new Error('it was taken');
}

const message = (fields: object = {}) => ({
  kind: 'message',
  role: 'user',
  messageId: 'm-1',
  parts: [{ kind: 'text', text: 'Hello' }],
  ...fields,
});
const send = (fields: object = {}, more: object = {}): SendCall => {
  const call = read('message/send', { message: message(fields), ...more });
  if (call.verb !== 'send') throw new Error('another verb');
  return call;
};
const send10 = (parts: readonly object[], more: object = {}): SendCall => {
  const call = read('SendMessage', { message: { role: 'ROLE_USER', messageId: 'm-1', parts, ...more } });
  if (call.verb !== 'send') throw new Error('another verb');
  return call;
};

describe('messages', () => {
  test('of text, files and data', () => {
    const bytes = Buffer.from('안녕\u0000').toString('base64');
    const call = send({
      parts: [
        { kind: 'text', text: 'one' },
        { kind: 'file', file: { bytes, mimeType: 'text/plain', name: '../../etc/보고서.txt' } },
        { kind: 'text', text: 'two' },
        { kind: 'data', data: { a: 1 } },
        { kind: 'file', file: { uri: 'https://example.kr/files/a%20b.pdf?x=1' } },
      ],
    });
    expect(call.message).toMatchObject({ id: 'm-1', text: 'one\ntwo', data: { a: 1 } });
    expect(call.message.files).toEqual([
      { name: '보고서.txt', mediaType: 'text/plain', content: { bytes: Buffer.from(bytes, 'base64') } },
      {
        name: 'a b.pdf',
        mediaType: 'application/octet-stream',
        content: { url: 'https://example.kr/files/a%20b.pdf?x=1' },
      },
    ]);
    expect(
      send({
        parts: [
          { kind: 'data', data: { a: 1 } },
          { kind: 'data', data: { b: 2 } },
        ],
      }).message.data,
    ).toEqual([{ a: 1 }, { b: 2 }]);
    expect(send().message).toMatchObject({ data: null, files: [] });
  });

  test('with files of no media type have that of the end of their names', () => {
    const file = (name: string, more = {}) => ({ kind: 'file', file: { bytes: 'AAAA', name, ...more } });
    const parts = [file('표.csv'), file('a.TXT', { mimeType: '' }), file('b'), file('c.csv', { mimeType: 'x/y' })];
    const types = ['text/csv', 'text/plain', 'application/octet-stream', 'x/y'];
    expect(send({ parts }).message.files.map(({ mediaType }) => mediaType)).toEqual(types);
    const young = send10([{ raw: 'AAAA', filename: '표.csv' }]);
    expect(young.message.files).toMatchObject([{ mediaType: 'text/csv' }]);
  });

  test('say the same in both forms', () => {
    const old = send({
      parts: [
        { kind: 'text', text: 'x' },
        { kind: 'file', file: { bytes: 'AAAA', name: 'f' } },
      ],
    });
    const young = send10([{ text: 'x' }, { raw: 'AAAA', filename: 'f' }]);
    expect(young.message).toEqual(old.message);
  });

  test('have a hash of what they say, in any order of keys', async () => {
    const hash = await hashOf(send().message);
    expect(hash).toBe(sha256('{"contextId":null,"pieces":[{"text":"Hello"}],"sessionId":null,"taskId":null}'));
    expect(await hashOf(send({ messageId: 'm-2', metadata: { traced: true } }).message)).toBe(hash);
    expect(await hashOf(send10([{ text: 'Hello' }]).message)).toBe(hash);
    const others = [
      send({ parts: [{ kind: 'text', text: 'Hello ' }] }),
      send({ contextId: 'c' }),
      send({ taskId: 't' }),
      send({}, { metadata: { chat_session_id: 3 } }),
      send({ parts: [{ kind: 'data', data: { text: 'Hello' } }] }),
    ];
    const hashes = await Promise.all(others.map((one) => hashOf(one.message)));
    expect(new Set([hash, ...hashes]).size).toBe(6);
    const data = (value: object) => hashOf(send({ parts: [{ kind: 'data', data: value }] }).message);
    expect(await data({ a: [1, { b: 2, c: 3 }, [], {}], d: null })).toBe(
      await data({ d: null, a: [1, { c: 3, b: 2 }, [], {}] }),
    );
    expect(await data({ a: [1, 2] })).not.toBe(await data({ a: [2, 1] }));
  });

  test('have a hash that is made in turns', async () => {
    const values = Object.fromEntries(Array.from({ length: 40_000 }, (_, at) => [`k${at}`, at]));
    const call = send({ parts: [{ kind: 'data', data: values }] });
    const { result, count } = await countTurns(() => hashOf(call.message));
    const sorted = Object.keys(values).toSorted();
    const data = sorted.map((key) => `"${key}":${values[key]}`).join(',');
    expect(result).toBe(sha256(`{"contextId":null,"pieces":[{"data":{${data}}}],"sessionId":null,"taskId":null}`));
    expect(count).toBeGreaterThan(30);
  });

  test('null stands for what is left out', () => {
    const metadata = { chat_session_id: null };
    expect(send({ taskId: null, contextId: null, metadata: null }, { configuration: null, metadata })).toMatchObject({
      sessionId: null,
      atOnce: false,
      historyLength: null,
      push: null,
      message: { taskId: null, contextId: null },
    });
    expect(send({}, { configuration: { blocking: false, historyLength: 0 } })).toMatchObject({
      atOnce: true,
      historyLength: 0,
    });
    expect(send10([{ text: 'x' }], { taskId: '', contextId: '' }).message).toMatchObject({
      taskId: null,
      contextId: null,
    });
  });

  test('that are wrong are refused by the name of the field', () => {
    const wrong: [object, string][] = [
      [{ message: undefined }, 'params.message'],
      [{ message: message({ kind: undefined }) }, 'params.message.kind'],
      [{ message: message({ role: 'agent' }) }, 'params.message.role'],
      [{ message: message({ messageId: '' }) }, 'params.message.messageId'],
      [{ message: message({ parts: [] }) }, 'params.message.parts'],
      [{ message: message({ parts: [{ text: 'x' }] }) }, 'params.message.parts[0].kind'],
      [{ message: message({ parts: [{ kind: 'text', text: 1 }] }) }, 'params.message.parts[0].text'],
      [{ message: message({ parts: [{ kind: 'file', file: {} }] }) }, 'params.message.parts[0].file'],
      [
        { message: message({ parts: [{ kind: 'file', file: { bytes: 'no base64!' } }] }) },
        'params.message.parts[0]: the bytes',
      ],
      [{ message: message(), metadata: { chat_session_id: '7' } }, 'params.metadata.chat_session_id'],
      [{ message: message(), metadata: { chat_session_id: 0 } }, 'params.metadata.chat_session_id'],
      [{ message: message(), configuration: { blocking: 'yes' } }, 'params.configuration.blocking'],
      [
        { message: message({ parts: Array.from({ length: 21 }, () => ({ kind: 'file', file: { bytes: 'AAAA' } })) }) },
        'at most 20 files',
      ],
    ];
    for (const [params, detail] of wrong) {
      const found = refused('message/send', params);
      expect(found.kind, detail).toBe('params');
      expect(found.detail).toContain(detail);
    }
    expect(refused('SendMessage', { message: message() }).kind).toBe('params');
    const two = { role: 'ROLE_USER', messageId: 'm', parts: [{ text: 'x', raw: '' }] };
    expect(refused('SendMessage', { message: two }).detail).toContain('exactly one');
    expect(refused('message/send', [message()]).detail).toContain('params must be an object');
  });

  test.each(['', ' \n\u3000'])('that say nothing (%j) are refused in both forms, sent and streamed', (text) => {
    const parts = [
      { kind: 'text', text },
      { kind: 'text', text: '' },
    ];
    for (const method of ['message/send', 'message/stream'])
      expect(refused(method, { message: message({ parts }) })).toMatchObject({
        kind: 'params',
        detail: expect.stringContaining('params.message.parts: the message is empty') as string,
      });
    const young = { role: 'ROLE_USER', messageId: 'm-1', parts: [{ text }] };
    for (const method of ['SendMessage', 'SendStreamingMessage'])
      expect(refused(method, { message: young }).kind).toBe('params');
  });

  test('that bring a file or data need no text', () => {
    const empty = { kind: 'text', text: '' };
    const file = { kind: 'file', file: { bytes: 'AAAA' } };
    expect(send({ parts: [empty, file] }).message).toMatchObject({ text: '', files: [{ name: 'file-1' }] });
    expect(send({ parts: [{ kind: 'data', data: {} }] }).message).toMatchObject({ text: '', data: {} });
  });

  test('are as long as anybody reads', () => {
    const long = (length: number) => message({ parts: [{ kind: 'text', text: 'x'.repeat(length) }] });
    expect(refused('message/send', { message: long(2_000_001) })).toMatchObject({ kind: 'params' });
    expect(read('message/send', { message: long(2_000_000) }).verb).toBe('send');
  });

  test('with files that are no base64 are refused as fast as they are read', () => {
    // A search for their end from each place would take hours.
    const bytes = `${'='.repeat(4_000_000)}x`;
    expect(refused('message/send', { message: message({ parts: [{ kind: 'file', file: { bytes } }] }) })).toMatchObject(
      {
        kind: 'params',
        detail: expect.stringContaining('are not base64') as string,
      },
    );
  });

  test('name what their callers take', () => {
    const modes = { configuration: { acceptedOutputModes: ['image/png'] } };
    expect(read('message/send', { ...modes, message: message() })).toMatchObject({ outputModes: ['image/png'] });
    expect(read('message/send', { message: message() })).toMatchObject({ outputModes: null });
  });

  test('of 0.3 have data of any kind, where their library has wrapped them', () => {
    const dataOf = (part: object) =>
      (read('message/send', { message: message({ parts: [{ kind: 'data', ...part }] }) }) as SendCall).message.data;
    const data = { value: [1, 2] };
    expect(dataOf({ data, metadata: { data_part_compat: true } })).toEqual([1, 2]);
    expect(dataOf({ data, metadata: { data_part_compat: 'true' } })).toEqual(data);
    expect(dataOf({ data })).toEqual(data);
  });
});

test('tasks and their notifications are named in both forms', () => {
  const push = { url: 'https://example.kr/hook', token: 't', authentication: { schemes: ['Basic'], credentials: 'c' } };
  const order = {
    id: null,
    url: push.url,
    token: 't',
    authentication: { scheme: 'Basic', credentials: 'c' },
  };
  expect(read('tasks/get', { id: 'a', historyLength: 2 })).toEqual({ verb: 'get', taskId: 'a', historyLength: 2 });
  expect(read('GetTask', { id: 'a' })).toEqual({ verb: 'get', taskId: 'a', historyLength: null });
  expect(read('tasks/cancel', { id: 'a' })).toEqual(read('CancelTask', { id: 'a' }));
  expect(read('tasks/resubscribe', { id: 'a', metadata: { last_event_id: '12' } })).toMatchObject({ after: 12 });
  expect(read('SubscribeToTask', { id: 'a' })).toEqual({ verb: 'subscribe', taskId: 'a', after: null });
  expect(read('tasks/pushNotificationConfig/set', { taskId: 'a', pushNotificationConfig: push })).toEqual({
    verb: 'push-set',
    taskId: 'a',
    push: order,
  });
  const young = {
    taskId: 'a',
    id: '',
    url: push.url,
    token: 't',
    authentication: { scheme: 'Basic', credentials: 'c' },
  };
  expect(read('CreateTaskPushNotificationConfig', young)).toEqual({ verb: 'push-set', taskId: 'a', push: order });
  expect(read('tasks/pushNotificationConfig/get', { id: 'a' })).toMatchObject({ configId: null });
  expect(read('GetTaskPushNotificationConfig', { taskId: 'a', id: 'c' })).toMatchObject({ configId: 'c' });
  expect(read('agent/getAuthenticatedExtendedCard', undefined)).toEqual({ verb: 'card' });
  expect(read('ListTasks', { status: 'TASK_STATE_REJECTED', pageSize: 3 })).toMatchObject({ state: 'none', size: 3 });
  expect(read('ListTasks', { status: 'TASK_STATE_WORKING' })).toMatchObject({ state: 'working', size: 50 });
  expect(refused('ListTasks', { pageSize: 101 }).kind).toBe('params');
  expect(refused('tasks/get', {}).detail).toContain('params.id');
});

describe('fields that are left out are told by their paths', () => {
  const ignored = (method: string, params: unknown, more: object = {}) => readWhole(method, params, more).ignored;

  test('misspelt ones of either form, wherever they stand', () => {
    expect(
      ignored(
        'message/send',
        {
          message: message({ contextID: 'c', parts: [{ kind: 'text', text: 'a', lang: 'ko' }] }),
          configuration: {
            blokcing: false,
            historyLenght: 0,
            pushNotificationConfig: { url: 'https://x.kr', tokn: 't' },
          },
          metadat: { chat_session_id: 1 },
        },
        { trace: 1 },
      ),
    ).toEqual([
      'trace',
      'params.message.parts[0].lang',
      'params.message.contextID',
      'params.configuration.blokcing',
      'params.configuration.historyLenght',
      'params.configuration.pushNotificationConfig.tokn',
      'params.metadat',
    ]);
    const young = { role: 'ROLE_USER', messageId: 'm-1', parts: [{ text: 'x', mimeType: 'a/b' }] };
    expect(ignored('SendStreamingMessage', { message: young, configuration: { blocking: false } })).toEqual([
      'params.message.parts[0].mimeType',
      'params.configuration.blocking',
    ]);
    expect(ignored('tasks/get', { id: 'a', history_length: 1 })).toEqual(['params.history_length']);
    expect(ignored('ListTasks', { context_id: 'c' })).toEqual(['params.context_id']);
    expect(ignored('agent/getAuthenticatedExtendedCard', { form: 1 })).toEqual(['params.form']);
  });

  test('of metadata what is nearly ours, or stands where it means nothing', () => {
    const free = { traced: true, session: 'x', user: { chat_sesion_id: 1 } };
    expect(ignored('message/send', { message: message({ metadata: free }), metadata: free })).toEqual([]);
    expect(
      ignored('message/stream', {
        message: message({ metadata: { chat_session_id: 3 } }),
        metadata: { chat_session_id: 3, chat_sesion_id: 3, chatSessionId: 3, last_event_id: 1 },
      }),
    ).toEqual([
      'params.metadata.chat_sesion_id',
      'params.metadata.chatSessionId',
      'params.metadata.last_event_id',
      'params.message.metadata.chat_session_id',
    ]);
    expect(ignored('tasks/resubscribe', { id: 'a', metadata: { last_event_id: 1, last_event: 2 } })).toEqual([
      'params.metadata.last_event',
    ]);
    expect(ignored('tasks/get', { id: 'a', metadata: { any: 1 } })).toEqual([]);
  });

  test('of the specification what is given and not used, and nothing that is empty or free', () => {
    const spec = message({ extensions: [], referenceTaskIds: [], taskId: '', contextId: null, metadata: {} });
    expect(ignored('message/send', { message: spec, configuration: { acceptedOutputModes: [] } })).toEqual([]);
    expect(ignored('message/send', { message: message({ referenceTaskIds: ['t'] }) })).toEqual([
      'params.message.referenceTaskIds',
    ]);
    const data = { deep: { blokcing: [{ any: 1 }] } };
    expect(ignored('message/send', { message: message({ parts: [{ kind: 'data', data }] }) })).toEqual([]);
  });
});
