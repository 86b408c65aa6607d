import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type FakeS3, startFakeS3 } from '../../../test/fakes/s3-server.ts';
import { createGuardedRequest } from '../../net-guard/index.ts';
import type { SourceChange } from '../../ports/connector.ts';
import { createS3Client } from '../distributed/s3-storage.ts';
import { createS3Connector, type S3Source } from './s3.ts';
import { readListing } from './s3-listing.ts';

let server: FakeS3;
let folder: string;
beforeEach(async () => {
  server = await startFakeS3();
  folder = mkdtempSync(join(tmpdir(), 'ai-studio-s3-source-'));
});
afterEach(async () => {
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

const signal = new AbortController().signal;
const keys = () => ({ access_key_id: server.accessKeyId, secret_access_key: server.secretAccessKey });
const open = (more: Partial<S3Source> = {}, allow: readonly string[] = ['127.0.0.1']) =>
  createS3Connector({
    endpoint: server.url,
    region: 'auto',
    bucket: server.bucket,
    prefix: '',
    credentials: keys(),
    endings: null,
    request: createGuardedRequest({ allow }),
    ...more,
  });
const put = async (key: string, content: string) => {
  const keysOfStore = { accessKeyId: server.accessKeyId, secretAccessKey: server.secretAccessKey };
  const place = { endpoint: server.url, region: 'auto', bucket: server.bucket, prefix: '' };
  await (await createS3Client({ ...place, ...keysOfStore })()).putObject(key, content);
};
async function list(connector = open()) {
  const changes: SourceChange[] = [];
  for await (const change of connector.list({ cursor: null, maxItems: 100, signal })) changes.push(change);
  return changes;
}
const ids = (changes: readonly SourceChange[]) =>
  changes.flatMap((change) => (change.type === 'present' ? [change.item.id] : []));

test('objects are listed page by page, with a prefix and endings', async () => {
  for (const key of ['a.txt', 'docs/b.md', 'docs/2026/c.pdf', 'docs/d.txt']) await put(key, key);
  expect(ids(await list(open({ pageSize: 1 })))).toEqual(['a.txt', 'docs/2026/c.pdf', 'docs/b.md', 'docs/d.txt']);
  const some = await list(open({ prefix: 'docs/', endings: new Set(['md', 'pdf']) }));
  expect(some).toMatchObject([
    { item: { id: 'docs/2026/c.pdf', name: 'c.pdf', bytes: 15, metadata: { folder: 'docs/2026' } } },
    { item: { id: 'docs/b.md', name: 'b.md', metadata: { folder: 'docs' } } },
    { type: 'end', isWhole: true },
  ]);
  const path = join(folder, 'x');
  await expect(open({ prefix: 'docs/' }).fetch('a.txt', { path, maxBytes: 9, signal })).rejects.toMatchObject({
    code: 'not_found',
  });
});

test('wrong keys are refused; a bucket that is not there, and one that the guard closes, can not be reached', async () => {
  await expect(list(open({ credentials: { ...keys(), secret_access_key: 'x' } }))).rejects.toMatchObject({
    code: 'forbidden',
  });
  await expect(list(open({ bucket: 'other' }))).rejects.toMatchObject({
    code: expect.stringMatching(/unavailable|forbidden/) as string,
  });
  await expect(list(open({}, []))).rejects.toMatchObject({ code: 'unavailable' });
});

test('keys are read as the storage writes them; a reply that is no listing is a failure', async () => {
  const page = (rest: string) =>
    `<ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/">${rest}</ListBucketResult>`;
  const one = '<Contents><Key>a%2Bb+c%EA%B0%80</Key><Size>3</Size></Contents>';
  const { objects, next } = await readListing(
    page(
      `<EncodingType>url</EncodingType><IsTruncated>true</IsTruncated><NextContinuationToken>t</NextContinuationToken>${one}`,
    ),
  );
  expect([objects[0]?.key, next]).toEqual(['a+b c가', 't']);
  expect((await readListing(page(one))).objects[0]?.key).toBe('a%2Bb+c%EA%B0%80');
  for (const text of ['', '<html/>', page('<IsTruncated>true</IsTruncated>'), '<ListBucketResult>&x;', '<A>'.repeat(9)])
    await expect(readListing(text)).rejects.toMatchObject({ code: 'unavailable' });
});
