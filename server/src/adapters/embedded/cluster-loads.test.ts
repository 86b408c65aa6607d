import cluster, { type Worker } from 'node:cluster';
import { expect, onTestFinished, test } from 'vitest';
import { createClusterLoads, serveLoads } from './cluster-loads.ts';

/** A worker of the primary process, as that one sees it, with what it was sent. */
function fakeWorker(id: number) {
  const sent: unknown[] = [];
  const worker = { id, isConnected: () => true, send: (answer: unknown) => sent.push(answer) > 0 } as unknown as Worker;
  return { sent, say: (text: string) => cluster.emit('message', worker, { loads: 'say', id: sent.length, text }) };
}

test('the primary process tells each worker what the others said lately', () => {
  let now = 0;
  const end = serveLoads(() => now);
  const [first, second] = [fakeWorker(1), fakeWorker(2)];
  first.say('[["http://x",2]]');
  second.say('[["http://x",1]]');
  first.say('');
  second.say('[["http://x",1]]');
  now = 3_001;
  first.say('[["http://x",5]]');
  for (const message of [null, {}, { loads: 'others' }]) cluster.emit('message', fakeWorker(3), message);
  end();
  first.say('');
  const others = (texts: readonly string[], id: number) => ({ loads: 'others', id, texts });
  expect(first.sent).toEqual([others([], 0), others(['[["http://x",1]]'], 1), others([], 2)]);
  expect(second.sent).toEqual([others(['[["http://x",2]]'], 0), others([], 1)]);
});

test('a worker adds up what it is told, and waits for no primary process that is gone', async () => {
  const asked: { readonly id: number; readonly text: string }[] = [];
  const { send } = process;
  process.send = (message: unknown) => asked.push(message as (typeof asked)[number]) > 0;
  onTestFinished(() => {
    if (send) process.send = send;
    else delete process.send;
  });
  const loads = createClusterLoads();
  const answer = loads.exchange(new Map([['http://x', 3]]));
  expect(asked).toEqual([{ loads: 'say', id: 0, text: '[["http://x",3]]' }]);
  const answered: unknown = {
    loads: 'others',
    id: 0,
    texts: ['[["http://x",1]]', '[["http://x",2],["http://y",1]]', '{'],
  };
  process.emit('message', answered, undefined);
  expect(await answer).toEqual(
    new Map([
      ['http://x', 3],
      ['http://y', 1],
    ]),
  );
  const waiting = loads.exchange(new Map());
  process.emit('disconnect');
  await expect(waiting).rejects.toThrow('stopping');
  const late = loads.exchange(new Map());
  await loads.close();
  await expect(late).rejects.toThrow('stopping');
});
