import { readdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { covers } from '../requirements.ts';
import { studio } from '../support/command.ts';
import { startFakeOpenSearch } from '../fakes/opensearch-server.ts';
import {
  ask,
  askFine,
  makeCollection,
  RAG,
  readDocument,
  upload,
  uploadReady,
  within,
  wordHits,
} from '../support/retrieval.ts';
import { type Service, type ServiceOptions, freePort, startService, temporaryFolder } from '../support/service.ts';

const tables = ({ dataFolder }: Service) => readdirSync(join(dataFolder, 'index'));

const config = { limits: { requests_per_minute: null } };
let options: ServiceOptions & { readonly dataFolder: string };
let service: Service;
beforeAll(async () => {
  options = { dataFolder: await temporaryFolder(), port: await freePort(), config };
  service = await startService(options);
});
afterAll(async () => {
  await service.close();
  await rm(options.dataFolder, { recursive: true, force: true });
});

test('studio reindex makes the index anew from the database, beside the service and without it', async () => {
  covers('retrieval.command.reindex');
  const fake = await startFakeOpenSearch();
  try {
    const { collection_id: one } = await makeCollection(service);
    const { collection_id: other } = await makeCollection(service);
    await makeCollection(service, { name: 'empty' });
    await uploadReady(service, one, 'a.md', '사과 농장');
    await uploadReady(service, other, 'b.md', '고래 바다');
    const before = tables(service);
    expect(await studio(service, 'reindex')).toBe('Made the indexes of 2 collections anew.');
    expect(await wordHits(service, one, '사과')).toHaveLength(1);
    expect(await wordHits(service, other, '고래')).toHaveLength(1);
    await within(async () => {
      expect(tables(service).filter((name) => before.includes(name))).toEqual([]);
      return Promise.resolve();
    });
    expect(await studio(service, 'reindex', one)).toBe('Made the index of 1 collection anew.');
    await expect(studio(service, 'reindex', '0'.repeat(32))).rejects.toThrow(/no collection/);
    // While nothing runs, and nothing is there.
    await service.stop();
    await rm(join(options.dataFolder, 'index'), { recursive: true, force: true });
    expect(await studio(service, 'reindex')).toBe('Made the indexes of 2 collections anew.');
    service = await startService(options);
    expect(await wordHits(service, other, '고래')).toHaveLength(1);
    expect(service.output()).not.toContain('was lost');
    // Into OpenSearch while it searches here, on with that, and back.
    covers('retrieval.command.move');
    const url = `--search.url=${fake.url}`;
    const moved = 'The index of 2 collections is there, and was compared with the database.';
    await expect(studio(service, 'search', 'move', '--to', 'opensearch')).rejects.toThrow(/search.url/);
    expect(await studio(service, 'search', 'move', '--to', 'opensearch', url)).toBe(moved);
    await service.stop();
    service = await startService({ ...options, config: { ...config, search: { url: fake.url } } });
    expect(await wordHits(service, other, '고래')).toHaveLength(1);
    await uploadReady(service, other, 'c.md', '산양 목장');
    expect(await wordHits(service, other, '산양')).toHaveLength(1);
    expect(fake.requests.filter((one) => one.endsWith('/_search')).length).toBeGreaterThan(2);
    // Those that share an index stay as they are.
    await expect(studio(service, 'search', 'reshard')).rejects.toThrow(/search.url/);
    expect(await studio(service, 'search', 'reshard', url)).toBe(
      'The indexes of 0 collections have another number of shards now.',
    );
    const figures = await (await fetch(`${service.base}/metrics`)).text();
    expect(figures).toMatch(/^studio_search_up 1$/m);
    expect(figures).toMatch(/^studio_search_rows [1-9]/m);
    expect(await studio(service, 'search', 'move', '--to', 'embedded', url)).toBe(moved);
    expect(service.output()).not.toContain('was lost');
    await service.stop();
    service = await startService(options);
    for (const word of ['고래', '산양']) expect(await wordHits(service, other, word)).toHaveLength(1);
    expect(service.output()).not.toContain('was lost');
  } finally {
    await fake.close();
  }
});

test('studio backup copies what there is while the service works, and studio restore makes an installation of it', async () => {
  covers('retrieval.command.backup');
  const place = await temporaryFolder();
  const copy = join(place, 'copy');
  let restored: Service | null = null;
  try {
    const { collection_id: id } = await makeCollection(service);
    const kept = await uploadReady(service, id, '사과.md', '# 농장\n\n사과 농장 안내');
    const gone = await uploadReady(service, id, '고래.md', '고래 바다 안내');
    // Documents come and go while it is made.
    const state = { copied: false };
    const load = (async () => {
      for (let at = 0; !state.copied; at++) {
        const { document_id: own } = await upload(service, id, `${at}.md`, `산양 ${at} 목장`);
        if (at % 2 === 0) await askFine(service, `documents/${own}`, { method: 'DELETE' });
        // Some are under way at any time; each more is only more work, also for what is restored.
        await wait(100);
      }
    })();
    expect(await studio(service, 'backup', copy)).toBe(`Copied to ${copy}`);
    state.copied = true;
    await load;
    await askFine(service, `documents/${gone.document_id}`, { method: 'DELETE' });
    await expect(studio(service, 'backup', copy)).rejects.toThrow(/not empty/);
    await expect(studio(service, 'restore', copy)).rejects.toThrow(/in use|holds an installation/);

    const port = await freePort();
    await expect(studio({ ...service, dataFolder: place, port }, 'restore', join(place, 'nothing'))).rejects.toThrow(
      /no copy/,
    );
    const empty = { ...service, dataFolder: await temporaryFolder(), port };
    expect(await studio(empty, 'restore', copy)).toContain(empty.dataFolder);
    restored = await startService({
      dataFolder: empty.dataFolder,
      port,
      initKey: null,
      config,
    });
    const there = { ...restored, key: service.key };
    for (const document of [kept, gone]) {
      expect(await readDocument(there, document.document_id)).toEqual(document);
      const file = await fetch(`${there.base}${RAG}/documents/${document.document_id}/file`, {
        headers: { authorization: `Bearer ${there.key}` },
      });
      expect(file.status).toBe(200);
    }
    // The index is no part of the copy: it is being made anew.
    await within(async () => expect(await wordHits(there, id, '고래')).toHaveLength(1));
    // Every document that the copy names is there with its file, and comes to an end.
    await within(async () => {
      for (const state of ['queued', 'parsing', 'chunking', 'embedding', 'indexing', 'failed'])
        expect(
          (await askFine<{ total: number }>(there, `collections/${id}/documents?state=${state}`)).total,
          state,
        ).toBe(0);
    });
    const { items } = await askFine<{ items: { document_id: string }[] }>(
      there,
      `collections/${id}/documents?size=100`,
    );
    for (const { document_id: one } of items) {
      const file = await fetch(`${there.base}${RAG}/documents/${one}/file`, {
        headers: { authorization: `Bearer ${there.key}` },
      });
      expect(file.status).toBe(200);
      await file.arrayBuffer();
    }
    expect(await ask(there, 'search', { body: { query: '산양', collection_id: id } })).toMatchObject({ status: 200 });
  } finally {
    await restored?.stop();
    await rm(place, { recursive: true, force: true });
  }
});
