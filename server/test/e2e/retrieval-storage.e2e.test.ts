import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startFakeS3, type FakeS3 } from '../fakes/s3-server.ts';
import { eventually } from '../support/eventually.ts';
import { call } from '../support/http.ts';
import { askFine, makeCollection, RAG, searchIn, uploadReady } from '../support/retrieval.ts';
import { type Service, startService } from '../support/service.ts';

// Files and the index in object storage: nothing of a collection is left on the machine.

let s3: FakeS3;
let service: Service;
beforeAll(async () => {
  s3 = await startFakeS3();
  service = await startService({
    config: {
      storage: {
        url: `s3://${s3.bucket}/of/studio`,
        endpoint: s3.url,
        access_key_id: s3.accessKeyId,
        secret_access_key: s3.secretAccessKey,
      },
    },
  });
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
