import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startFakeS3, type FakeS3 } from '../fakes/s3-server.ts';
import { eventually } from '../support/eventually.ts';
import { call } from '../support/http.ts';
import { studio } from '../support/command.ts';
import { askFine, makeCollection, RAG, searchIn, uploadReady, wordHits } from '../support/retrieval.ts';
import { type Service, freePort, startService, temporaryFolder } from '../support/service.ts';

// Files and the index in object storage: nothing of a collection is left on the machine.

let s3: FakeS3;
let service: Service;
let storage: Readonly<Record<string, string>>;
beforeAll(async () => {
  s3 = await startFakeS3();
  storage = {
    url: `s3://${s3.bucket}/of/studio`,
    endpoint: s3.url,
    access_key_id: s3.accessKeyId,
    secret_access_key: s3.secretAccessKey,
  };
  service = await startService({ config: { storage } });
});
afterAll(async () => {
  await service.close();
  await s3.close();
});

const text = '# 휴가 규정\n\n연차 휴가는 15일이다.\n\n# 출장 규정\n\n출장비는 하루 5만원이다.\n';

test('a document in object storage is found, given back, and gone without a rest once it is deleted', async () => {
  const { collection_id: id } = await makeCollection(service);
  const document = await uploadReady(service, id, 'rules.md', text);
  const { result: found } = await searchIn(service, id, '휴가를 며칠 쓸 수 있나요');
  expect(found.hits[0]).toMatchObject({ document_id: document.document_id });
  expect(found.hits[0]?.content).toContain('15일');

  const file = await call(service, `${RAG}/documents/${document.document_id}/file`);
  expect(file.text).toBe(text);
  expect(s3.keys('of/studio/blobs/').length).toBeGreaterThan(0);
  expect(s3.keys('of/studio/index/').length).toBeGreaterThan(0);
  expect(s3.keys().filter((key) => !key.startsWith('of/studio/'))).toEqual([]);
  for (const folder of ['blobs', 'index']) expect(existsSync(join(service.dataFolder, folder))).toBe(false);

  await askFine(service, `documents/${document.document_id}`, { method: 'DELETE' });
  expect((await searchIn(service, id, '휴가')).result.hits).toEqual([]);
  await askFine(service, `collections/${id}`, { method: 'DELETE' });
  await eventually(() => expect(s3.keys()).toEqual([]));
});

test('storage that is away is a clear answer, and all goes on once it is back', async () => {
  const { collection_id: id } = await makeCollection(service);
  await uploadReady(service, id, 'rules.md', text);
  s3.failNext(Infinity);
  const answer = await call(service, `${RAG}/search`, { body: { query: '휴가', collection_id: id } });
  expect(answer.status).toBe(503);
  expect(answer.text).not.toContain('127.0.0.1');
  s3.failNext(0);
  expect((await searchIn(service, id, '휴가')).result.hits).not.toEqual([]);
});

test('what is restored beside its object storage finds what the copy held, not what came later', async () => {
  const place = await temporaryFolder();
  let restored: Service | null = null;
  try {
    const { collection_id: id } = await makeCollection(service);
    await uploadReady(service, id, 'kept.md', '산양 목장 안내');
    const gone = await uploadReady(service, id, 'gone.md', '고래 바다 안내');
    const copy = join(place, 'copy');
    const flags = Object.entries(storage).map(([name, value]) => `--storage.${name}=${value}`);
    await studio(service, 'backup', copy, ...flags);
    await askFine(service, `documents/${gone.document_id}`, { method: 'DELETE' });
    await uploadReady(service, id, 'later.md', '두루미 호수 안내');
    await service.stop();
    const empty = { ...service, dataFolder: await temporaryFolder(), port: await freePort() };
    expect(await studio(empty, 'restore', copy, ...flags)).toContain('was compared with the rows');
    restored = await startService({
      dataFolder: empty.dataFolder,
      port: empty.port,
      initKey: null,
      config: { storage },
    });
    const there = { ...restored, key: service.key };
    for (const word of ['산양', '고래']) expect(await wordHits(there, id, word), word).toHaveLength(1);
    const { result } = await searchIn(there, id, '안내');
    expect(result.hits.map(({ content }) => content).join()).not.toContain('두루미');
    expect(result.hits).toHaveLength(2);
    expect(there.output()).not.toMatch(/was lost/);
  } finally {
    await restored?.close();
    await rm(place, { recursive: true, force: true });
  }
});
