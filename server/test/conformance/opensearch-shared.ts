import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { reshardTables } from '../../src/adapters/distributed/opensearch-index/reshard.ts';
import { readReport } from '../../src/adapters/distributed/opensearch-index/report.ts';
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

const isT = (table: string): boolean => table === 't';

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
      // What was removed meanwhile is taken away after the alias went over, and before.
      for (const [rowsPerShard, wanted, heldRows] of [
        [150, 3, 0],
        [5_000, 1, 5_000],
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
          optionsOf('shards', { rowsPerShard, heldRows }),
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
      // Somebody else is at it.
      await ask('PUT', '/shards-i-t-m00000000');
      expect(
        await reshardTables(
          optionsOf('shards', { rowsPerShard: 150 }),
          () => true,
          () => undefined,
        ),
      ).toEqual({ moved: [], left: ['t'] });
      await index.dropTable('t');
      expect(await index.tables()).toEqual(['small']);
      expect(Object.keys(await ask('GET', '/shards-i-t-*'))).toEqual([]);
    });

    test.each([
      [
        'lies alone and gets other shards',
        'cut-own',
        false,
        (options: OpenSearchOptions) => reshardTables({ ...options, rowsPerShard: 150 }, isT, () => undefined),
      ],
      [
        'leaves an index that it shares',
        'cut-shared',
        true,
        async (options: OpenSearchOptions) => {
          const mover = createOpenSearchIndex(options);
          opened.push(mover);
          await mover.maintain('t');
        },
      ],
    ])(
      'what a table has too much that %s, as whoever moves it ends just after it went over, is removed by who opens it',
      async (_, prefix, isShared, move) => {
        const index = isShared ? inFamily(open(prefix, { ownIndexRows: 5_000 })) : open(prefix);
        for (const table of ['t', 'beside']) await index.createTable(table, { dimension: 2 });
        await index.add('beside', [row('kept')]);
        const rows = Array.from({ length: BOUND + 50 }, (_one, at) => row(`first-${at}`));
        await index.add('t', rows);
        const from = await behind(prefix, 't');
        const proxy = await startLateProxy(server.url);
        try {
          const held = proxy.keepNext('POST', '/_aliases');
          const moving = move({ ...optionsOf(prefix, { heldRows: 0 }), url: proxy.url });
          moving.catch(() => undefined);
          await held.kept;
          // They were copied already.
          await index.remove('t', { rowIds: ['first-1', 'first-2'] });
          await index.remove('t', { documentIds: ['document-first-3'] });
          const goesOver = proxy.keepNext('POST', '/_aliases');
          held.release();
          await goesOver.kept;
          const to = Object.keys(await ask('GET', `/${prefix}-i-t-*/_alias`)).find((name) => name !== from) ?? '';
          const removal = proxy.keepNext('POST', `/${to}.copy/_bulk`);
          goesOver.release();
          await removal.kept;
          await proxy.close();
          await expect(moving).rejects.toMatchObject({ kind: 'unavailable' });
          expect(await behind(prefix, 't')).toBe(to);
          await index.add('t', [row('late')]);
          await index.add('t', [row('first-2')], { upsert: true });
          const left = [...rows.map(({ rowId }) => rowId), 'late'].filter((id) => !/^first-[13]$/.test(id)).toSorted();
          expect(await idsOf(index, 't')).toEqual([...left, 'first-1', 'first-3'].toSorted());
          // Whoever moved it may be at it still: for now nobody takes over, nor is anything cleared that would be needed.
          const early = open(prefix, { graceMs: 1 });
          for (const table of ['t', 'beside']) await early.stats(table);
          expect(await reshardTables(optionsOf(prefix, { rowsPerShard: 100 }), isT, () => undefined)).toEqual({
            moved: [],
            left: ['t'],
          });
          expect((await idsOf(index, 't')).length).toBe(left.length + 2);
          // Of what the table has left, and of the table itself, one is opened first.
          const late = open(prefix, { graceMs: 1, resumeMs: 0 });
          await late.stats(isShared ? 'beside' : 't');
          await expect.poll(() => idsOf(index, 't'), { interval: 100 }).toEqual(left);
          await expect
            .poll(async () => Object.keys(await ask('GET', `/${prefix}-i-*/_alias`)).includes(from), { interval: 100 })
            .toBe(isShared);
          await late.stats('t');
          expect(await idsOf(late, 'beside')).toEqual(['kept']);
          if (isShared)
            // The row of the one beside, and its claim.
            await expect
              .poll(async () => (await ask('GET', `/${from}.all/_count`))['count'], { interval: 100 })
              .toBe(2);
          const { [to]: found } = await ask('GET', `/${to}`);
          expect((found as { mappings: { _meta: object } }).mappings._meta).not.toHaveProperty('left');
        } finally {
          await proxy.close();
        }
      },
    );

    test('what a table has left is compared with it only where it is there', async () => {
      const index = open('gone');
      await index.createTable('t', { dimension: 2 });
      await index.add('t', [row('a'), row('b')]);
      const own = await behind('gone', 't');
      const { [own]: found } = await ask('GET', `/${own}`);
      const { _meta: meta } = (found as { mappings: { _meta: object } }).mappings;
      const left = { from: 'gone-i-t-m00000000', atMs: 0, upTo: { 0: 1_000_000 } };
      await ask('PUT', `/${own}/_mapping`, { _meta: { ...meta, left } });
      expect(await reshardTables(optionsOf('gone'), isT, () => undefined)).toEqual({ moved: [], left: [] });
      expect(await idsOf(index, 't')).toEqual(['a', 'b']);
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
      const { cluster, ...report } = await readReport(optionsOf('counts'));
      expect(report).toMatchObject({ tables: 3, rows: 6 });
      expect(cluster).toMatchObject({ status: 'green', indices: 2, moves: 0, missing_shards: 0 });
      expect(cluster.watermarks?.low).toMatch(/^\d/);
      // A node may not have looked at its disk yet.
      expect(
        cluster.nodes.some(({ used, total_bytes: total }) => (used ?? 0) > 0 && (total ?? 0) > 0),
        JSON.stringify(cluster.nodes),
      ).toBe(true);
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
