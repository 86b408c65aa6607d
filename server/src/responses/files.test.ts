import type { InputItem } from '@ai-studio/contract/responses/items.ts';
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { covers } from '../../test/requirements.ts';
import type { CallContext, Principal } from '../kernel/actor.ts';
import type { TenantId } from '../kernel/context.ts';
import { StudioError } from '../kernel/errors.ts';
import { createFindFile, type FileDeps, holdsFilesOfUser, withFileData, withFileTexts, withinTexts } from './files.ts';

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

test('files of users stay files for an agent that takes some, and stand in its messages as data: URLs', async () => {
  covers('parts.agents.files');
  const inline = { type: 'input_file', file_data: Buffer.from('hi').toString('base64'), filename: 'b.hwp' } as const;
  const typed = { type: 'input_file', file_data: `data:text/x;base64,${inline.file_data}` } as const;
  const own: InputItem = { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'x' }, inline, typed] };
  const system: InputItem = { type: 'message', role: 'system', content: [inline] };
  const kept = await withFileTexts(deps, ctx, [own, asking('file-1'), system], true);
  expect(kept.slice(0, 2)).toEqual([own, asking('file-1')]);
  expect(kept[2]).toMatchObject({ content: [{ type: 'input_text', text: 'b.hwp:\n\nb.hwp says hi' }] });
  expect(holdsFilesOfUser(kept)).toBe(true);
  expect(holdsFilesOfUser([system])).toBe(false);
  expect(await withFileData(deps, ctx, kept.slice(0, 2))).toMatchObject([
    {
      content: [
        { type: 'input_text', text: 'x' },
        { type: 'input_file', filename: 'b.hwp', file_data: 'data:application/x-hwp;base64,aGk=' },
        { type: 'input_file', filename: 'file', file_data: 'data:text/x;base64,aGk=' },
      ],
    },
    { content: [{ type: 'input_file', filename: 'a.txt', file_data: 'data:text/plain;base64,aGVsbG8=' }] },
  ]);
  await expect(withFileData(deps, ctx, [asking('file-2')])).rejects.toMatchObject({
    param: 'input[0].content[0].file_id',
  });
});

test.each([
  ['one that is not there', deps],
  ['any, where files are not kept by id', { ...deps, findFile: null }],
])('%s is named by its place', async (_what, given) => {
  const read = withFileTexts(given, ctx, [asking('file-2')]);
  await expect(read).rejects.toMatchObject({ code: 'invalid_request', param: 'input[0].content[0].file_id' });
});

test('a file that is larger than documents may be is not read into memory', async () => {
  const content = Readable.from(['hello']);
  const find = createFindFile((tenantId) => Promise.resolve({ name: `${tenantId}.txt`, size: 5, content }), 4);
  await expect(find(ctx, 'file-1')).rejects.toMatchObject({ code: 'too_large' });
  expect(content.destroyed).toBe(true);
  const whole = createFindFile(
    (tenantId) => Promise.resolve({ name: `${tenantId}.txt`, size: 5, content: Readable.from([Buffer.from('hello')]) }),
    5,
  );
  expect(await whole(ctx, 'file-1')).toEqual({ name: 'ours.txt', bytes: Buffer.from('hello') });
});

test('documents of one request have a limit together, which names the one that is too much', async () => {
  const read = withinTexts((bytes) => Promise.resolve(bytes.toString()), 10);
  expect(await read(Buffer.from('hello'), 'a')).toBe('hello');
  expect(await read(Buffer.from('hello'), 'b')).toBe('hello');
  await expect(read(Buffer.from('!'), 'c')).rejects.toMatchObject({ code: 'too_large', param: 'file' });

  const long: FileDeps = { ...deps, readFile: () => Promise.resolve('x'.repeat(20_000_000)) };
  const twice = withFileTexts(long, ctx, [asking('file-1'), asking('file-1')]);
  await expect(twice).rejects.toMatchObject({ code: 'too_large', param: 'input[1].content[0].file_id' });
});
