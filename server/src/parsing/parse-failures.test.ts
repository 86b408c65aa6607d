import { expect, test } from 'vitest';
import { tmpdir } from 'node:os';
import { ParseError, standardLimits, unlimitedWork } from '@ai-studio/documents';
import { DocumentParseFields } from '@ai-studio/contract/utilities/document.ts';
import type { TenantId } from '../kernel/context.ts';
import { StudioError } from '../kernel/errors.ts';
import type { BlobStore } from '../ports/blob-store.ts';
import { createPictures } from './own/pictures.ts';
import { parseDocument } from './parse.ts';
import { parseFailures } from './parse-failures.ts';

test('what is no fault of the document is told as the service tells it', () => {
  const cause = new Error('heap');
  expect(parseFailures.unavailable('Too many wait', 10)).toBeInstanceOf(StudioError);
  expect(parseFailures.unavailable('Too many wait', 10)).toMatchObject({ code: 'unavailable', retryAfterSeconds: 10 });
  expect(parseFailures.tooLarge('Ask for fewer pages.', cause)).toMatchObject({
    code: 'unprocessable',
    message: 'TOO_LARGE: Ask for fewer pages.',
    param: 'file',
    cause,
  });
});

test('a document whose processes were ended may come again, to be read or to be drawn', async () => {
  const ended = () => Promise.reject(new ParseError('PROCESS_ENDED', 'It ended three times.'));
  const told = { code: 'unavailable', message: 'PROCESS_ENDED: It ended three times.', retryAfterSeconds: 30 };
  const { signal } = new AbortController();
  const deps = {
    pool: { parse: ended },
    renderer: { render: () => Promise.resolve(new Uint8Array()) },
    limits: standardLimits,
    timeoutMs: 1_000,
    work: unlimitedWork,
    backgroundTimeoutMs: 1_000,
    now: Date.now,
  };
  const tenantId = 'a'.repeat(32) as TenantId;
  const read = parseDocument(deps, { tenantId, signal }, { path: 'x', name: 'x' }, DocumentParseFields.parse({}));
  await expect(read).rejects.toMatchObject(told);
  const toFile = () => Promise.resolve(true);
  const blobs = { toFile } as Partial<BlobStore> as BlobStore;
  const pictures = createPictures({ blobs, pool: { draw: ended }, folder: tmpdir() });
  const drawn = pictures.page({ tenantId, key: 'x' }, { page: 2, width: 100, signal });
  await expect(drawn).rejects.toMatchObject(told);
});
