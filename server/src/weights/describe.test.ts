import { expect, test } from 'vitest';
import type { LocalModel } from '../models/local.ts';
import { causedBy } from './cause.ts';
import { createDescribe } from './describe.ts';
import type { FolderModel } from './folder.ts';

const found = (id: string, over: Partial<FolderModel> = {}): FolderModel => ({
  id,
  name: `${id}.gguf`,
  path: `/models/${id}.gguf`,
  files: [`${id}.gguf`],
  bytes: 1,
  totalBytes: 1,
  state: 'ready',
  reason: null,
  cause: null,
  origin: null,
  ...over,
});
const model = (id: string) => ({ id, kind: 'chat' }) as LocalModel;

test('files that are whole are described, with why one cannot be used; those that arrive do not count', async () => {
  const given: unknown[] = [];
  const forgotten: string[] = [];
  const describe = createDescribe({
    files: {
      update(files) {
        given.push(...files);
        return Promise.resolve(['gone']);
      },
      models: () => [model('good'), model('large')],
    },
    bytesOf(id) {
      if (id === 'large') throw new Error('too large');
      return 7;
    },
    causeOf: ({ message }: Error) => (message === 'too large' ? causedBy('model_memory') : null),
    onForget: (id) => forgotten.push(id),
  } as Parameters<typeof createDescribe>[0]);
  const facts = await describe([
    found('good'),
    found('new', { state: 'arriving' }),
    found('torn', { state: 'broken', reason: 'It ends too early.' }),
    found('odd', { state: 'broken' }),
  ]);
  expect(given).toEqual([
    { id: 'good', path: '/models/good.gguf' },
    { id: 'torn', path: '/models/torn.gguf', problem: 'It ends too early.' },
    { id: 'odd', path: '/models/odd.gguf', problem: 'The file is incomplete.' },
  ]);
  expect(forgotten).toEqual(['gone']);
  expect([...facts.values()]).toEqual([
    { model: model('good'), needsBytes: 7, problem: null, cause: null },
    { model: model('large'), needsBytes: null, problem: 'too large', cause: causedBy('model_memory') },
  ]);
});
