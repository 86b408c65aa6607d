import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { BulkResult } from '@ai-studio/contract/retrieval/bulk.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { covers } from '../requirements.ts';
import { call } from '../support/http.ts';
import { times } from '../support/long.ts';
import { takeNobodyForGone } from '../support/never-gone.ts';
import {
  ask,
  askFine,
  formOf,
  makeCollection,
  RAG,
  readDocument,
  searchIn,
  sendForm,
  upload,
  uploadReady,
  within,
  wordHits,
} from '../support/retrieval.ts';
import { withDatabaseOf } from '../support/running-database.ts';
import { type Service, type ServiceOptions, freePort, startService, temporaryFolder } from '../support/service.ts';
import { answer, type Handler, openUpstream, silence, type UpstreamCall } from '../support/upstream.ts';

const config = { limits: { requests_per_minute: null, tokens_per_minute: null } };

/** A document that only its own number finds: two sections. */
const textOf = (number: number) =>
  `# 문서 번호 ${number}\n\n표지 표식${number}머리 는 하나뿐이다.\n\n# 둘째 절\n\n본문 표식${number}꼬리 도 하나뿐이다.\n`;

/** Uploads documents until the service is gone; tells of those that were acknowledged. */
async function load(
  service: Service,
  collection: string,
  next: () => number | null,
  onAcknowledged: (id: string, number: number) => void,
) {
  for (;;) {
    const number = next();
    if (number === null) return;
    try {
      const answer = await sendForm(
        service,
        `collections/${collection}/documents/upload`,
        formOf(`${number}.md`, textOf(number), { external_id: `own-${number}` }),
      );
      if (answer.status === 200) onAcknowledged(answer.result.document_id, number);
    } catch {
      return;
    }
  }
}

/** Short documents of one call: more than one group takes. */
const COUNT = 100;

test('kill -9 in the midst of groups of short documents loses none of them, and doubles none', async () => {
  covers('retrieval.faults.kill', 'retrieval.ingest.resume', 'retrieval.bulk');
  const dataFolder = await temporaryFolder();
  const upstream = await openUpstream(['embedder']);
  const vectors = (call: UpstreamCall) => {
    const { input } = call.json as unknown as { readonly input: readonly string[] };
    const data = input.map((text, index) => ({ object: 'embedding', index, embedding: [1, text.length, index + 1] }));
    return answer(200, { object: 'list', data, model: 'embedder', usage: { prompt_tokens: 1, total_tokens: 1 } })(call);
  };
  let asked: () => void = () => undefined;
  const silent: Handler = (call) => {
    asked();
    return silence(call);
  };
  const options = {
    dataFolder,
    port: await freePort(),
    config: {
      ...config,
      engines: { fake: { kind: 'openai', addresses: [upstream.url] } },
      models: { embedder: { kind: 'embedding', engines: [{ engine: 'fake' }] } },
    },
  };
  let service = await startService(options);
  try {
    await withDatabaseOf(service, (db) => takeNobodyForGone(db, 'ingest_jobs'));
    const ids = new Map<string, string[]>();
    /** Texts that only their own numbers find. */
    const send = async (id: string, round: number) => {
      const lines = Array.from({ length: COUNT }, (_, at) =>
        JSON.stringify({ text: `짧은 글 표식${round}번${at}호 하나.`, external_id: `${round}-${at}` }),
      );
      const reply = await call(service, `${RAG}/collections/${id}/documents/bulk`, {
        headers: { 'content-type': 'application/x-ndjson' },
        body: lines.join('\n'),
      });
      const made = reply.text
        .trim()
        .split('\n')
        .map((line) => BulkResult.parse(JSON.parse(line)));
      expect(made.map(({ state }) => state)).toEqual(lines.map(() => 'queued'));
      ids.set(id, [...(ids.get(id) ?? []), ...made.map(({ document_id: one }) => one ?? '')]);
    };
    const { collection_id: words } = await makeCollection(service, { ingest_config: { embedding_model: 'lexical' } });
    const { collection_id: meanings } = await makeCollection(service, {
      ingest_config: { embedding_model: 'embedder' },
    });
    const rounds = times(1, 10);
    for (let round = 0; round < rounds; round++) {
      // A model that does not answer holds its groups between what they read and what they write.
      upstream.plays(silent);
      const held = new Promise<void>((resolve) => (asked = resolve));
      await send(meanings, round);
      await held;
      // The others are anywhere: before their first group, within one, or behind the last.
      await send(words, round);
      await wait(Math.random() * 600);
      await service.kill();
      upstream.reset();
      upstream.plays(vectors);
      service = await startService(options);
    }
    for (const [collection, given] of ids) {
      await within(async () => {
        const { total } = await askFine<{ total: number }>(
          service,
          `collections/${collection}/documents?size=1&state=ready`,
        );
        expect(total, service.output().slice(-2_000)).toBe(given.length);
      });
      expect(await askFine(service, `collections/${collection}`)).toMatchObject({
        document_count: given.length,
        chunk_count: given.length,
      });
      const foundOnce = async ([at, id]: readonly [number, string]) => {
        const word = `표식${Math.floor(at / COUNT)}번${at % COUNT}호`;
        // The best ones alone: all others of its hundred have most of these signs too.
        const hits = await wordHits(service, collection, word, { top_k: 5 });
        const own = hits.filter(({ content }) => content.includes(word));
        expect(
          own.map(({ document_id: found }) => found),
          word,
        ).toEqual([id]);
      };
      const waiting = [...given.entries()];
      const look = async () => {
        for (let one = waiting.pop(); one !== undefined; one = waiting.pop()) await foundOnce(one);
      };
      await Promise.all(Array.from({ length: 8 }, look));
    }
  } finally {
    await service.close();
    await upstream.close();
    await rm(dataFolder, { recursive: true, force: true, maxRetries: 20 });
  }
});

describe('with documents', () => {
  let dataFolder: string;
  let options: ServiceOptions;
  let service: Service;
  beforeAll(async () => {
    dataFolder = await temporaryFolder();
    options = { dataFolder, port: await freePort(), config };
    service = await startService(options);
  });
  afterAll(async () => {
    await service.close();
    await rm(dataFolder, { recursive: true, force: true, maxRetries: 20 });
  });

  describe('an index that is lost', () => {
    test('while the service runs is made anew by itself', async () => {
      covers('retrieval.index.lost');
      const { collection_id: collection } = await makeCollection(service);
      for (const number of [1, 2, 3]) await uploadReady(service, collection, `${number}.md`, textOf(number));
      await rm(join(dataFolder, 'index'), { recursive: true, force: true });
      const hits = await within(() => searchIn(service, collection, '표식2머리', { search_type: 'keyword' }));
      expect(hits.result.hits[0]?.content).toContain('표식2머리');
      // And goes on to be written.
      await uploadReady(service, collection, '4.md', textOf(4));
      expect((await wordHits(service, collection, '표식4꼬리'))[0]?.content).toContain('표식4꼬리');
      expect(service.output()).toContain('index of a collection was lost');
      expect(service.output()).toContain('index of a collection rebuilt');
    });

    test('while it is stopped is made anew before anybody asks', async () => {
      covers('retrieval.index.lost');
      const { collection_id: collection } = await makeCollection(service);
      await uploadReady(service, collection, '1.md', textOf(1));
      await service.stop();
      await rm(join(dataFolder, 'index'), { recursive: true, force: true });
      service = await startService(options);
      // Of each collection that has documents.
      await within(async () => expect(service.output().match(/index of a collection rebuilt/g)).toHaveLength(2));
      expect((await wordHits(service, collection, '표식1꼬리')).length).toBeGreaterThan(0);
    });
  });

  test('many documents at once are all taken in, and the service answers meanwhile', { timeout: 600_000 }, async () => {
    covers('retrieval.ingest.many');
    const count = times(32, 200);
    const { collection_id: collection } = await makeCollection(service);
    const numbers = Array.from({ length: count }, (_, number) => number);
    const ids: string[] = [];
    const one = async () => {
      for (let number = numbers.pop(); number !== undefined; number = numbers.pop())
        ids.push((await upload(service, collection, `${number}.md`, textOf(number))).document_id);
    };
    await Promise.all(Array.from({ length: 8 }, one));
    let answered = 0;
    await within(async () => {
      await askFine(service, `collections/${collection}`);
      answered++;
      const { total } = await askFine<{ total: number }>(
        service,
        `collections/${collection}/documents?size=1&state=ready`,
      );
      expect(total, service.output().slice(-2_000)).toBe(count);
    });
    expect(answered).toBeGreaterThan(0);
    expect(new Set(ids).size).toBe(count);
    for (const number of [0, Math.floor(count / 2), count - 1])
      expect((await wordHits(service, collection, `표식${number}꼬리`)).map(({ content }) => content).join()).toContain(
        `표식${number}꼬리`,
      );
  });

  test('a stop while documents are taken in, searched and made anew ends, and all goes on after it', async () => {
    covers('retrieval.ingest.resume', 'retrieval.faults.stop');
    const { collection_id: collection } = await makeCollection(service);
    const acknowledged = new Map<string, number>();
    let given = 0;
    for (let round = 0; round < times(1, 3); round++) {
      const until = (round + 1) * 25;
      const next = () => (given < until ? given++ : null);
      const note = (id: string, number: number) => void acknowledged.set(id, number);
      const before = acknowledged.size;
      const loads = Promise.all(Array.from({ length: 4 }, () => load(service, collection, next, note)));
      let over = false;
      const searches = (async () => {
        while (!over)
          await ask(service, 'search', { body: { collection_id: collection, query: '표식 머리' } })
            .catch(() => undefined)
            .then(() => wait(20));
      })();
      while (acknowledged.size < before + 10) await wait(5);
      await ask(service, `collections/${collection}/reindex`, { method: 'POST' });
      expect(await service.stop(), service.output().slice(-2_000)).toBe(0);
      over = true;
      await Promise.all([loads, searches]);
      service = await startService(options);
    }
    await within(async () => {
      for (const id of acknowledged.keys()) expect((await readDocument(service, id)).state).toBe('ready');
      expect((await askFine<{ reindex: unknown }>(service, `collections/${collection}`)).reindex).toBeNull();
    });
    for (const [id, number] of acknowledged) {
      const hits = await wordHits(service, collection, `표식${number}꼬리`);
      const own = hits.filter(({ content }) => content.includes(`표식${number}꼬리`));
      expect(own.map(({ document_id: found }) => found)).toEqual([id]);
    }
  });
});
