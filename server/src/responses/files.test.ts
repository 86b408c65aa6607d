import type { InputItem } from '@ai-studio/contract/responses/items.ts';
import { expect, test } from 'vitest';
import type { CallContext, Principal } from '../kernel/actor.ts';
import type { TenantId } from '../kernel/context.ts';
import { StudioError } from '../kernel/errors.ts';
import { type FileDeps, withFileTexts } from './files.ts';

const ctx: CallContext<Principal> = {
  actor: { tenantId: 'ours' as TenantId, keyId: 'k', userId: null },
  requestId: 'r',
  signal: new AbortController().signal,
};
const asking = (file_id: string): InputItem => ({
  type: 'message',
  role: 'user',
  content: [{ type: 'input_file', file_id }],
});
const deps: FileDeps = {
  readFile: (_who, bytes, name) => Promise.resolve(`${name} says ${bytes.toString()}`),
  findFile: ({ actor }, id) =>
    id === 'file-1' && actor.tenantId === 'ours'
      ? Promise.resolve({ bytes: Buffer.from('hello'), name: 'a.txt' })
      : Promise.reject(new StudioError('not_found', 'There is no such file')),
};

test('an uploaded file by its id is read as text', async () => {
  const [item] = await withFileTexts(deps, ctx, [asking('file-1')]);
  expect(item).toMatchObject({ content: [{ type: 'input_text', text: 'a.txt:\n\na.txt says hello' }] });
});

test.each([
  ['one that is not there', deps],
  ['any, where files are not kept by id', { ...deps, findFile: null }],
])('%s is named by its place', async (_what, given) => {
  const read = withFileTexts(given, ctx, [asking('file-2')]);
  await expect(read).rejects.toMatchObject({ code: 'invalid_request', param: 'input[0].content[0].file_id' });
});
