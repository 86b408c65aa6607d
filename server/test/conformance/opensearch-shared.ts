import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { reshardTables } from '../../src/adapters/distributed/opensearch-index/reshard.ts';
import { readFigures } from '../../src/adapters/distributed/opensearch-index/state.ts';
import {
  createOpenSearchIndex,
  type OpenSearchOptions,
} from '../../src/adapters/distributed/opensearch-index/index.ts';
import type { IndexRow, SearchIndex } from '../../src/ports/search-index.ts';
import { inFamily, optionsFor } from './opensearch.ts';
import { startLateProxy } from './late-proxy.ts';

// Tables that share an index of OpenSearch, and leave it.

/** The bound beyond which a table moves. */
const BOUND = 300;
const GRACE_MS = 700;

let made = 0;
const row = (id: string, more: Partial<IndexRow> = {}): IndexRow => ({
  rowId: id,
  chunkId: `chunk-${id}`,
  documentId: `document-${id}`,
  vector: Float32Array.of(1, made++ % 7),
  terms: ['word'],
  stems: [],
  fields: {},
  ...more,
});

/** `isPatient` for what waits as long as writes wait for a table that moves. */
export function sharedIndexBehaviour(
  name: string,
  start: () => Promise<{ readonly url: string; close(): Promise<void> }>,
  isPatient = false,
): void {
  describe(`tables that share an index: ${name}`, () => {
    let server: { readonly url: string; close(): Promise<void> };
    const opened: SearchIndex[] = [];
    beforeAll(async () => {
      server = await start();
    });
    afterAll(async () => {
      for (const index of opened) await index.close();
      await server.close();
    });

    const optionsOf = (prefix: string, more: Partial<OpenSearchOptions> = {}) =>
      optionsFor(server.url, prefix, {
        tablesPerIndex: 2,
        ownIndexRows: BOUND,
        graceMs: GRACE_MS,
        searchGraceMs: 200,
        ...more,
      });
    const open = (prefix: string, more: Partial<OpenSearchOptions> = {}) => {
      const index = createOpenSearchIndex(optionsOf(prefix, more));
      opened.push(index);
      return index;
    };
    const ask = async (method: string, path: string, body?: object) => {
      const answer = await fetch(server.url + path, {
        method,
        headers: { 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      return (await answer.json()) as Record<string, unknown>;
    };
    const behind = async (prefix: string, table: string) =>
      Object.keys(await ask('GET', `/_alias/${prefix}-t-${table}`))[0] ?? '';
    const slotOf = async (prefix: string, table: string) => {
      const alias = `${prefix}-t-${table}`;
      const [one] = Object.values(await ask('GET', `/_alias/${alias}`)) as {
        aliases: Record<string, { index_routing?: string }>;
      }[];
      return one?.aliases[alias]?.index_routing;
    };
    const idsOf = async (index: SearchIndex, table: string) => {
      const found: string[] = [];
      for await (const piece of index.rows(table)) found.push(...piece.map(({ rowId }) => rowId));
      return found.toSorted();
    };

    test('those of one family lie together, up to a bound, and those of another apart', async () => {
      const index = open('together');
      const [mine, other] = [inFamily(index), inFamily(index, 'b')];
      for (const table of ['a', 'b', 'c']) await mine.createTable(table, { dimension: 2 });
      await other.createTable('x', { dimension: 2 });
      await mine.createTable('longer', { dimension: 3 });
      await index.createTable('alone', { dimension: 2 });
      const places = await Promise.all(
        ['a', 'b', 'c', 'x', 'longer', 'alone'].map((table) => behind('together', table)),
      );
      expect(places[0]).toBe(places[1]);
      expect(new Set(places).size).toBe(5);
      expect(await index.tables()).toEqual(['a', 'alone', 'b', 'c', 'longer', 'x']);
      await index.add('a', [row('1')]);
      await index.add('b', [row('1')]);
      await index.dropTable('a');
      expect(await idsOf(index, 'b')).toEqual(['1']);
      // The place that is free again is taken by the next one, which finds nothing of the one before.
      await mine.createTable('d', { dimension: 2 });
      expect(await behind('together', 'd')).toBe(places[0]);
      expect(await idsOf(index, 'd')).toEqual([]);
      for (const table of ['b', 'd']) await index.dropTable(table);
      expect(Object.keys(await ask('GET', '/together-i-*'))).not.toContain(places[0]);
    });

    test('ranks as if it were alone, and finds nothing of others', async () => {
      const index = open('ranks');
      const mine = inFamily(index);
      const rows = ['a', 'b', 'c', 'd'].map((id, at) =>
        row(id, { terms: ['word', ...Array.from({ length: at }, () => 'more')], stems: at % 2 ? ['stem'] : [] }),
      );
      await mine.createTable('shared', { dimension: 2 });
      await mine.createTable('beside', { dimension: 2 });
      await index.createTable('alone', { dimension: 2 });
      for (const table of ['shared', 'alone']) await index.add(table, rows);
      await index.add(
        'beside',
        Array.from({ length: 200 }, (_, at) =>
          row(`other-${at}`, { terms: ['word', 'word', 'x'], stems: ['stem'], vector: Float32Array.of(1, 1) }),
        ),
      );
      const words = { terms: ['word', 'more'], stems: ['stem'], limit: 50 };
      const hits = await index.keyword('shared', words);
      expect(hits).toHaveLength(4);
      const scores = (found: typeof hits) => found.map(({ rowId, score }) => [rowId, Number(score.toFixed(5))]);
      expect(scores(hits)).toEqual(scores(await index.keyword('alone', words)));
      const near = { vector: Float32Array.of(1, 1), limit: 50 };
      expect(scores(await index.nearest('shared', near))).toEqual(scores(await index.nearest('alone', near)));
      const all = { op: 'not', of: { op: 'exists', field: 'nothing' } } as const;
      expect(await index.keyword('shared', { ...words, filter: all })).toHaveLength(4);
      expect(await index.nearest('shared', { ...near, filter: all })).toHaveLength(4);
      expect(await index.stats('shared')).toMatchObject({ rows: 4 });
    });

    test('one that grows moves while it is written and searched: no search fails, nothing is lost, nothing comes back', async () => {
      const [index, other] = [inFamily(open('grows')), open('grows')];
      await index.createTable('t', { dimension: 2 });
      await index.createTable('beside', { dimension: 2 });
      await index.add('beside', [row('kept')]);
      const first = Array.from({ length: BOUND + 50 }, (_, at) => row(`first-${at}`));
      for (let at = 0; at < first.length; at += 100) await index.add('t', first.slice(at, at + 100));
      const shared = await behind('grows', 'beside');
      const state = { moved: false, searches: 0 };
      const gone = new Set<string>();
      const added: string[] = first.map(({ rowId }) => rowId);
      const moving = index.maintain('t').finally(() => (state.moved = true));
      const search = async (from: SearchIndex) => {
        while (!state.moved) {
          expect((await from.keyword('t', { terms: ['word'], stems: [], limit: 5 })).length).toBe(5);
          expect((await from.nearest('t', { vector: Float32Array.of(1, 0), limit: 5 })).length).toBe(5);
          state.searches++;
        }
      };
      const write = async (to: SearchIndex, who: string) => {
        for (let at = 0; !state.moved || at < 10; at++) {
          const id = `${who}-${at}`;
          await to.add('t', [row(id), row(`${id}-more`)]);
          added.push(id, `${id}-more`);
          expect(await to.derive('t', [{ from: id, rowId: `${id}-like`, fields: {} }])).toEqual([]);
          added.push(`${id}-like`);
          const old = `first-${(who === 'a' ? 0 : 150) + at}`;
          if (at < 150) {
            await to.remove('t', at % 2 === 0 ? { rowIds: [old] } : { documentIds: [`document-${old}`] });
            gone.add(old);
          }
        }
      };
      await Promise.all([moving, search(index), search(other), write(index, 'a'), write(other, 'b')]);
      expect(state.searches).toBeGreaterThan(0);
      expect(await behind('grows', 't')).toMatch(/^grows-i-t-m[0-9a-f]{8}$/);
      const left = added.filter((id) => !gone.has(id)).toSorted();
      for (const one of [index, other]) expect(await idsOf(one, 't')).toEqual(left);
      expect(await idsOf(index, 'beside')).toEqual(['kept']);
      // What nobody waits for any more arrives in the old place.
      await ask('PUT', `/${shared}.all/_create/t:late?routing=0`, {
        row_id: 'late',
        chunk_id: 'chunk-late',
        document_id: 'document-late',
        table: 't',
        terms_0: ['word'],
        facts: [],
      });
      // Whoever opens a table there looks.
      await open('grows').stats('beside');
      await expect
        .poll(async () => (await ask('GET', `/${shared}.all/_count`))['count'], { interval: 100 })
        // The row of the one beside, and its claim.
        .toBe(2);
      expect(await idsOf(other, 't')).toEqual(left);
      await index.dropTable('t');
      expect(Object.keys(await ask('GET', '/grows-i-*'))).toEqual([shared]);
    });

    test('what was under way to the place that it leaves is there, or gone, where it is then', async () => {
      const options = optionsOf('late');
      const mover = inFamily(open('late'));
      await mover.createTable('t', { dimension: 2 });
      const rows = Array.from({ length: BOUND + 10 }, (_, at) => row(`first-${at}`));
      await mover.add('t', rows);
      const place = await behind('late', 't');
      const proxy = await startLateProxy(server.url);
      const moves = await startLateProxy(server.url);
      const late = createOpenSearchIndex({ ...options, url: proxy.url });
      const moving = createOpenSearchIndex({ ...options, url: moves.url });
      opened.push(late, moving);
      try {
        await late.stats('t');
        // Both have found out where the table lies, and are on their way.
        const whole = `/${place}.all/_bulk`;
        const removals = [
          proxy.keepNext('POST', '/late-t-t/_bulk'),
          proxy.keepNext('POST', '/late-t-t/_bulk'),
        ] as const;
        const removed = late.remove('t', { rowIds: ['first-1'] });
        await removals[0].kept;
        const added = late.add('t', [row('late')]);
        await removals[1].kept;
        // It is held, everything was copied, and it is about to go over.
        const goesOver = moves.keepNext('POST', '/_aliases', 2);
        const moved = moving.maintain('t');
        await goesOver.kept;
        // They arrive.
        for (const one of removals) one.release(`${whole}?routing=0&require_alias=true`);
        await Promise.all(removals.map(({ answered }) => answered));
        goesOver.release();
        await Promise.all([removed, added, moved]);
        expect(await behind('late', 't')).not.toBe(place);
        const left = [...rows.map(({ rowId }) => rowId).filter((id) => id !== 'first-1'), 'late'].toSorted();
        expect(await idsOf(mover, 't')).toEqual(left);
        // Also what arrives after it went over.
        await mover.createTable('u', { dimension: 2 });
        await mover.add('u', rows);
        const from = await behind('late', 'u');
        await late.stats('u');
        const removal = proxy.keepNext('POST', '/late-t-u/_bulk');
        const gone = late.remove('u', { rowIds: ['first-2'] });
        await removal.kept;
        await moving.maintain('u');
        removal.release(`/${from}.all/_bulk?routing=${await slotOf('late', 'u')}&require_alias=true`);
        await gone;
        expect(await idsOf(mover, 'u')).toEqual(
          rows
            .map(({ rowId }) => rowId)
            .filter((id) => id !== 'first-2')
            .toSorted(),
        );
      } finally {
        await proxy.close();
        await moves.close();
      }
    });

    test('one that lies alone gets more shards, and fewer, while it is written and searched', async () => {
      const index = open('shards');
      await index.createTable('t', { dimension: 2 });
      await index.createTable('small', { dimension: 2 });
      const first = Array.from({ length: 400 }, (_, at) => row(`first-${at}`));
      await index.add('t', first);
      const other = open('shards');
      const shardsOf = async () => {
        const [one] = Object.values(await ask('GET', '/shards-t-t'));
        return Number((one as { settings: { index: { number_of_shards: string } } }).settings.index.number_of_shards);
      };
      const added = new Set(first.map(({ rowId }) => rowId));
      let written = 0;
      for (const [rowsPerShard, wanted] of [
        [150, 3],
        [5_000, 1],
      ] as const) {
        const state = { done: false };
        const search = async (from: SearchIndex) => {
          while (!state.done) {
            expect((await from.keyword('t', { terms: ['word'], stems: [], limit: 5 })).length).toBe(5);
            expect((await from.nearest('t', { vector: Float32Array.of(1, 0), limit: 5 })).length).toBe(5);
          }
        };
        const write = async (to: SearchIndex) => {
          while (!state.done) {
            const at = written++;
            await to.add('t', [row(`more-${at}`), row(`more-${at}-b`)]);
            added.add(`more-${at}`).add(`more-${at}-b`);
            if (at >= 300) continue;
            await to.remove(
              't',
              at % 2 === 0 ? { rowIds: [`first-${at}`] } : { documentIds: [`document-first-${at}`] },
            );
            added.delete(`first-${at}`);
          }
        };
        const resharding = reshardTables(
          optionsOf('shards', { rowsPerShard }),
          () => true,
          () => undefined,
        ).finally(() => (state.done = true));
        const [done] = await Promise.all([resharding, search(index), search(other), write(index), write(other)]);
        expect(done).toEqual({ moved: ['t'], left: [] });
        expect(await shardsOf()).toBe(wanted);
        for (const one of [index, other, open('shards')]) expect(await idsOf(one, 't')).toEqual([...added].toSorted());
      }
      // Of the indices that it had nothing is left, and making it again makes none.
      await index.createTable('t', { dimension: 2 });
      expect(Object.keys(await ask('GET', '/shards-i-t-*'))).toEqual([await behind('shards', 't')]);
      expect(
        await reshardTables(
          optionsOf('shards'),
          () => true,
          () => undefined,
        ),
      ).toEqual({ moved: [], left: [] });
      await index.dropTable('t');
      expect(await index.tables()).toEqual(['small']);
    });

    test('rows are counted once each, whatever else lies in an index', async () => {
      const [index, alone] = [inFamily(open('counts')), open('counts')];
      await index.createTable('a', { dimension: 2 });
      await index.createTable('b', { dimension: 2 });
      await alone.createTable('c', { dimension: 2 });
      for (const [table, count] of [
        ['a', 1],
        ['b', 2],
        ['c', 3],
      ] as const) {
        await index.add(
          table,
          Array.from({ length: count }, (_, at) => row(`${at}`)),
        );
        await index.stats(table);
      }
      expect(await readFigures(optionsOf('counts'))).toMatchObject({ rows: 6, status: 'green' });
    });

    if (isPatient)
      test('one whose move ended by the way is found all the while, and takes writes again', async () => {
        const index = inFamily(open('ended'));
        await index.createTable('t', { dimension: 2 });
        await index.add('t', [row('before')]);
        const place = { index: await behind('ended', 't'), alias: 'ended-t-t' };
        const held = { ...place, routing: '0', filter: { term: { table: 't' } }, is_write_index: false };
        await ask('POST', '/_aliases', { actions: [{ remove: place }, { add: held }] });
        const state = { written: false };
        const writing = index.add('t', [row('after')]).finally(() => (state.written = true));
        expect(await idsOf(index, 't')).toEqual(['before']);
        expect(state.written).toBe(false);
        await writing;
        expect(await idsOf(index, 't')).toEqual(['after', 'before']);
      });
  });
}
