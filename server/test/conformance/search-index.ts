import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { FieldValue, IndexFilter, IndexRow, SearchIndex } from '../../src/ports/search-index.ts';
import { readableOnly, readersField } from '../../src/retrieval/readers/sight.ts';
import { matchesFilter } from '../../src/retrieval/search/matches-filter.ts';
import { times } from '../support/long.ts';

/** One storage, which several indices may be opened on. */
export interface IndexHost {
  /** Another process's index, as far as the storage can tell. */
  open(): SearchIndex;
  /** Takes a table's files away, as a person does who deletes a folder. */
  destroy(table: string): Promise<void>;
  /** Cuts the files of a table's rows in half. False where it went wrong, and another table has to be taken. */
  damage(table: string): Promise<boolean>;
  close(): Promise<void>;
}

const DIMENSION = 4;
/** How long a table whose files are damaged may be told to be away before it is told to be lost. */
const LOST_MS = 90_000;
const vectorOf = (...values: number[]): Float32Array =>
  Float32Array.from({ length: DIMENSION }, (_, at) => values[at] ?? 0);

let made = 0;
const row = (id: string, more: Partial<IndexRow> = {}): IndexRow => ({
  rowId: id,
  chunkId: `chunk-${id}`,
  documentId: `document-${id}`,
  vector: vectorOf(1, made++ % 7),
  terms: ['word'],
  stems: [],
  fields: {},
  ...more,
});

const ids = (hits: readonly { readonly rowId: string }[]) => hits.map(({ rowId }) => rowId);

/** What every search index does. */
export function searchIndexConformance(name: string, start: () => Promise<IndexHost>): void {
  describe(`search index: ${name}`, () => {
    let host: IndexHost;
    let index: SearchIndex;
    let tables = 0;
    beforeAll(async () => {
      host = await start();
      index = host.open();
    });
    afterAll(async () => {
      await index.close();
      await host.close();
    });

    /** A table with rows in it. */
    async function filled(rows: readonly IndexRow[]): Promise<string> {
      const table = `table_${++tables}`;
      await index.createTable(table, { dimension: DIMENSION });
      await index.add(table, rows);
      return table;
    }
    const allIds = async (from: SearchIndex, table: string) => {
      const found: string[] = [];
      for await (const piece of from.rows(table)) found.push(...ids(piece));
      return found.toSorted();
    };

    test('tables come and go, and both may be said twice', async () => {
      await index.createTable('coming-1', { dimension: 3 });
      await index.createTable('coming-1', { dimension: 3 });
      expect(await index.tables()).toContain('coming-1');
      expect(await index.stats('coming-1')).toMatchObject({ dimension: 3, rows: 0 });
      await index.dropTable('coming-1');
      await index.dropTable('coming-1');
      expect(await index.tables()).not.toContain('coming-1');
      await expect(index.stats('coming-1')).rejects.toMatchObject({ kind: 'lost', table: 'coming-1' });
    });

    test.each(['../x', 'a/b', '', 'A b', 'x'.repeat(101), "x'"])('the name %j is refused', async (bad) => {
      await expect(index.createTable(bad, { dimension: 3 })).rejects.toThrow('no name');
      await expect((async () => index.dropTable(bad))()).rejects.toThrow('no name');
    });

    test('an empty table finds nothing', async () => {
      const table = await filled([]);
      expect(await index.nearest(table, { vector: vectorOf(1), limit: 5 })).toEqual([]);
      expect(await index.keyword(table, { terms: ['word'], stems: [], limit: 5 })).toEqual([]);
      expect(await allIds(index, table)).toEqual([]);
    });

    test('the nearest come first, by the cosine', async () => {
      const table = await filled([
        row('far', { vector: vectorOf(0, 1) }),
        row('same', { vector: vectorOf(5) }),
        row('near', { vector: vectorOf(1, 1) }),
        row('opposite', { vector: vectorOf(-2) }),
      ]);
      const hits = await index.nearest(table, { vector: vectorOf(2), limit: 3 });
      expect(ids(hits)).toEqual(['same', 'near', 'far']);
      expect(hits.map(({ score }) => Math.round(score * 100))).toEqual([100, 71, 0]);
    });

    test('words are found as they are, rare ones count more, and stems count half', async () => {
      const table = await filled([
        row('both', { terms: ['가나', '나다'], stems: ['가나다'] }),
        row('one', { terms: ['가나', 'x', 'x'], stems: ['가나'] }),
        row('case', { terms: ['The', 'naïve', 'l'.repeat(300)], stems: [] }),
      ]);
      const find = async (terms: string[], stems: string[] = []) => index.keyword(table, { terms, stems, limit: 10 });
      expect(ids(await find(['가나', '나다'], ['가나다']))).toEqual(['both', 'one']);
      expect(ids(await find(['The']))).toEqual(['case']);
      expect(await find(['the'])).toEqual([]);
      expect(ids(await find(['naïve']))).toEqual(['case']);
      expect(ids(await find(['l'.repeat(300)]))).toEqual(['case']);
      expect(await find([])).toEqual([]);
      expect(await find(['nothing'])).toEqual([]);
    });

    test('a stem counts half of what a term counts', async () => {
      const table = await filled([
        row('stem', { terms: ['other'], stems: ['whole'] }),
        row('term', { terms: ['whole'], stems: ['other'] }),
      ]);
      const [first, second] = await index.keyword(table, { terms: ['whole'], stems: ['whole'], limit: 5 });
      expect([first?.rowId, second?.rowId]).toEqual(['term', 'stem']);
      expect((second?.score ?? 0) / (first?.score ?? 1)).toBeCloseTo(0.5, 3);
    });

    test('weak words count a quarter of what others count, in either field', async () => {
      const table = await filled([
        row('weak', { terms: ['other'], stems: ['other'] }),
        row('strong', { terms: ['word'], stems: ['word'] }),
      ]);
      for (const field of ['terms', 'stems']) {
        const words = (list: string[]) => ({ terms: [], stems: [], [field]: list });
        const [first, second] = await index.keyword(table, { ...words(['word']), weak: words(['other']), limit: 5 });
        expect([first?.rowId, second?.rowId]).toEqual(['strong', 'weak']);
        expect((second?.score ?? 0) / (first?.score ?? 1)).toBeCloseTo(0.25, 3);
      }
      const alone = { terms: [], stems: [], weak: { terms: ['word'], stems: ['other'] }, limit: 5 };
      expect(ids(await index.keyword(table, alone))).toEqual(['strong', 'weak']);
    });

    test('tells whether any row has all terms, of those that a filter leaves', async () => {
      const table = await filled([
        row('a', { terms: ['one', 'two', 'c++'], fields: { kind: 'x' } }),
        row('b', { terms: ['three'], stems: ['whole'], fields: { kind: 'y' } }),
      ]);
      const filter = { op: 'in', field: 'kind', values: ['y'] } as const;
      expect(await index.has(table, { terms: ['two', 'one', 'two', 'c++'] })).toBe(true);
      expect(await index.has(table, { terms: ['one', 'three'] })).toBe(false);
      expect(await index.has(table, { terms: ['whole'] })).toBe(false);
      expect(await index.has(table, { terms: [] })).toBe(false);
      expect(await index.has(table, { terms: ['one', 'two'], filter })).toBe(false);
      expect(await index.has(table, { terms: ['three'], filter })).toBe(true);
    });

    test('what a question repeats counts again, and signs of query languages are plain words', async () => {
      const table = await filled([row('a', { terms: ['"', 'AND', '(*', 'c++'] }), row('b', { terms: ['x'] })]);
      const [once] = await index.keyword(table, { terms: ['c++'], stems: [], limit: 5 });
      const [twice] = await index.keyword(table, { terms: ['c++', 'c++'], stems: [], limit: 5 });
      expect((twice?.score ?? 0) / (once?.score ?? 1)).toBeCloseTo(2, 3);
      for (const term of ['"', 'AND', '(*']) {
        expect(ids(await index.keyword(table, { terms: [term], stems: [], limit: 5 }))).toEqual(['a']);
      }
    });

    test('rows are derived from others: found by the same, chosen by fields of their own', async () => {
      const table = await filled([
        row('a', {
          vector: vectorOf(1, 2),
          terms: ['가나', 'x'],
          stems: ['가나'],
          fields: { year: 2020, page: [1, 2] },
        }),
        row('b', { vector: vectorOf(2, 1), terms: ['가나'], fields: { year: 2020 } }),
      ]);
      const derived = [
        { from: 'a', rowId: 'a2', fields: { year: 2021, tag: ['p', 'q'] } },
        { from: 'absent', rowId: 'c2', fields: {} },
        { from: 'b', rowId: 'b2', fields: {} },
      ];
      expect(await index.derive(table, derived)).toEqual(['absent']);
      expect(await allIds(index, table)).toEqual(['a', 'a2', 'b', 'b2']);
      const hits = await index.nearest(table, { vector: vectorOf(1, 2), limit: 10 });
      const byId = new Map(hits.map((hit) => [hit.rowId, hit]));
      expect(byId.get('a2')).toEqual({ ...byId.get('a'), rowId: 'a2' });
      const find = async (filter: IndexFilter) =>
        ids(await index.keyword(table, { terms: ['가나'], stems: ['가나'], limit: 10, filter })).toSorted();
      expect(await find({ op: 'in', field: 'year', values: [2020] })).toEqual(['a', 'b']);
      expect(await find({ op: 'in', field: 'year', values: [2021] })).toEqual(['a2']);
      expect(await find({ op: 'in', field: 'tag', values: ['q'] })).toEqual(['a2']);
      expect(await find({ op: 'not', of: { op: 'exists', field: 'year' } })).toEqual(['b2']);
      expect(await find({ op: 'in', field: 'document_id', values: ['document-b'] })).toEqual(['b', 'b2']);
      expect(await index.derive(table, [])).toEqual([]);
    });

    test('many rows are derived, more than are read at a time', async () => {
      const count = 1_100;
      const table = `table_${++tables}`;
      await index.createTable(table, { dimension: 512 });
      const vectors = Array.from({ length: count }, (_, at) =>
        Float32Array.from({ length: 512 }, (_two, place) => Math.sin(at * 7 + place)),
      );
      await index.add(
        table,
        vectors.map((vector, at) => row(`o${at}`, { vector, documentId: 'd', terms: [`term${at}`] })),
      );
      const derived = vectors.map((_, at) => ({ from: `o${at}`, rowId: `n${at}`, fields: { number: at } }));
      expect(await index.derive(table, derived)).toEqual([]);
      for (const at of [0, 1_024, count - 1]) {
        const filter: IndexFilter = { op: 'in', field: 'number', values: [at] };
        expect(ids(await index.keyword(table, { terms: [`term${at}`], stems: [], limit: 5, filter }))).toEqual([
          `n${at}`,
        ]);
        const [near] = await index.nearest(table, { vector: vectors[at] ?? vectorOf(1), limit: 1, filter });
        expect(near).toMatchObject({ rowId: `n${at}` });
        expect(near?.score).toBeCloseTo(1, 3);
      }
    });

    test('rows are gone once they are removed, by their ids or by their documents', async () => {
      const table = await filled([
        row('1', { documentId: 'd1' }),
        row('2', { documentId: 'd1' }),
        row('3', { documentId: "d'2" }),
        row("4'", { documentId: 'd3' }),
      ]);
      await index.remove(table, { rowIds: ['1', "4'", 'never'] });
      expect(await allIds(index, table)).toEqual(['2', '3']);
      await index.remove(table, { documentIds: ["d'2"] });
      expect(ids(await index.nearest(table, { vector: vectorOf(1), limit: 9 }))).toEqual(['2']);
      expect(ids(await index.keyword(table, { terms: ['word'], stems: [], limit: 9 }))).toEqual(['2']);
      await index.remove(table, { documentIds: [] });
      await index.remove(table, { documentIds: ['d1'] });
      expect(await index.keyword(table, { terms: ['word'], stems: [], limit: 9 })).toEqual([]);
    });

    test('work that is repeated leaves each row once, as it was last', async () => {
      const table = await filled([row('a', { terms: ['old'] }), row('b')]);
      await index.add(table, [row('a', { terms: ['new'] }), row('c')], { upsert: true });
      expect(await allIds(index, table)).toEqual(['a', 'b', 'c']);
      expect(await index.keyword(table, { terms: ['old'], stems: [], limit: 5 })).toEqual([]);
      expect(ids(await index.keyword(table, { terms: ['new'], stems: [], limit: 5 }))).toEqual(['a']);
    });

    test('many additions at once are all there, and each is found', async () => {
      const table = await filled([]);
      const batches = Array.from({ length: 60 }, (_, at) => [row(`x${at}`, { terms: [`t${at}`] }), row(`y${at}`)]);
      await Promise.all(batches.map((rows) => index.add(table, rows)));
      expect(await index.stats(table)).toMatchObject({ rows: 120 });
      expect(ids(await index.keyword(table, { terms: ['t17', 't42'], stems: [], limit: 5 })).toSorted()).toEqual([
        'x17',
        'x42',
      ]);
    });

    test('what is written goes into the structures, and is found before, while and after', async () => {
      const table = await filled(Array.from({ length: 300 }, (_, at) => row(`r${at}`, { terms: [`t${at}`, 'all'] })));
      const found = async () =>
        (await index.keyword(table, { terms: ['t7', 't250'], stems: [], limit: 5 }))
          .map(({ rowId }) => rowId)
          .toSorted();
      const keeping = index.maintain(table);
      expect(await found()).toEqual(['r250', 'r7']);
      await keeping;
      await index.maintain(table);
      expect(await found()).toEqual(['r250', 'r7']);
      expect(await index.stats(table)).toMatchObject({ rows: 300, unindexedRows: 0 });
      await index.remove(table, { rowIds: ['r7'] });
      expect(await found()).toEqual(['r250']);
    });

    test('a vector of another length is refused before anything is written', async () => {
      const table = await filled([row('a')]);
      await expect(index.add(table, [row('b'), row('c', { vector: new Float32Array(3) })])).rejects.toThrow(
        '3 numbers',
      );
      await expect(index.nearest(table, { vector: new Float32Array(5), limit: 1 })).rejects.toThrow('5 numbers');
      expect(await allIds(index, table)).toEqual(['a']);
    });

    describe('another process', () => {
      let other: SearchIndex;
      beforeAll(() => void (other = host.open()));
      afterAll(() => other.close());

      test('finds what was written before the mark that it asks for, and everything without one', async () => {
        const table = await filled([row('a', { terms: ['first'] })]);
        const find = async (term: string, mark?: number) =>
          ids(await other.keyword(table, { terms: [term], stems: [], limit: 5, mark }));
        expect(await find('first', 1)).toEqual(['a']);
        await index.add(table, [row('b', { terms: ['second'] })]);
        expect(await find('second', 2)).toEqual(['b']);
        await index.remove(table, { rowIds: ['a'] });
        expect(await find('first', 3)).toEqual([]);
        await index.add(table, [row('c', { terms: ['third'] })]);
        expect(await find('third')).toEqual(['c']);
        expect(ids(await other.nearest(table, { vector: vectorOf(1), limit: 5, mark: 4 })).toSorted()).toEqual([
          'b',
          'c',
        ]);
      });

      test('may make the same table at the same time', async () => {
        const table = `together_${++tables}`;
        await Promise.all([index, other].map((one) => one.createTable(table, { dimension: DIMENSION })));
        await Promise.all([index, other].map((one, at) => one.add(table, [row(`r${at}`)])));
        for (const one of [index, other]) {
          const found = await one.keyword(table, { terms: ['word'], stems: [], limit: 5 });
          expect(ids(found).toSorted()).toEqual(['r0', 'r1']);
        }
      });

      test('may write at the same time: nothing is lost, nothing doubled', async () => {
        const table = await filled([]);
        const writes = [index, other].flatMap((writer, who) =>
          Array.from({ length: 12 }, async (_, at) => {
            await writer.add(table, [row(`${who}-${at}`), row(`${who}-${at}-gone`)]);
            await writer.remove(table, { rowIds: [`${who}-${at}-gone`] });
          }),
        );
        await Promise.all([...writes, index.maintain(table).catch(() => undefined)]);
        const expected = [0, 1].flatMap((who) => Array.from({ length: 12 }, (_, at) => `${who}-${at}`));
        expect(await allIds(index, table)).toEqual(expected.toSorted());
        expect(await allIds(other, table)).toEqual(expected.toSorted());
      });
    });

    describe('filters', () => {
      const values = fc.oneof(
        fc.constantFrom<FieldValue>('HR', 'IT', "O'Neil", '2026-03-01', '가나다', '', 'a', 'ab', 'b', '0', '1'),
        fc.constantFrom<FieldValue>(0, -0, 1, -1, 1.5, -2.25, 1e300, -1e300, 2026, 5e-324),
        fc.boolean(),
        fc.string({ unit: 'grapheme', maxLength: 5 }),
        fc.string({
          unit: fc.constantFrom(
            '\u001E',
            '\u001F',
            '\u001D',
            '\0',
            '\\',
            '"',
            '%',
            '_',
            "'",
            '\uE000',
            '😀',
            '\uFFFF',
            ' ',
          ),
          maxLength: 4,
        }),
        fc.double({ noNaN: true, noDefaultInfinity: true }),
      );
      const field = fc.constantFrom('department', 'price', "it's", 'a.b', '부서', 'a\u001Fb', 'constructor');
      const fields = fc.dictionary(field, fc.oneof(values, fc.array(values, { maxLength: 3 })), { maxKeys: 5 });
      const leaf: fc.Arbitrary<IndexFilter> = fc.oneof(
        fc.record({ op: fc.constant('in' as const), field, values: fc.array(values, { maxLength: 3 }) }),
        fc.record({
          op: fc.constantFrom('gt' as const, 'gte' as const, 'lt' as const, 'lte' as const),
          field,
          value: values.filter((value) => typeof value !== 'boolean'),
        }),
        fc.record({ op: fc.constant('exists' as const), field }),
        fc.record({ op: fc.constant('contains' as const), field, value: values }),
      );
      const { filter } = fc.letrec<{ filter: IndexFilter }>((tie) => ({
        filter: fc.oneof(
          { maxDepth: 3, withCrossShrink: true },
          leaf,
          fc.record({ op: fc.constant('not' as const), of: tie('filter') }),
          fc.record({
            op: fc.constantFrom('and' as const, 'or' as const),
            of: fc.array(tie('filter'), { maxLength: 3 }),
          }),
        ),
      }));
      const valuesOf = (one: IndexRow) => (name: string) => {
        if (name === 'document_id') return [one.documentId];
        const given = Object.hasOwn(one.fields, name) ? one.fields[name] : undefined;
        if (given === undefined) return [];
        return typeof given === 'object' ? given : [given];
      };

      test('choose the rows that they say, whatever stands in fields and filters', async () => {
        const made = fc.sample(fields, { numRuns: 120, seed: 7 });
        const rows = made.map((one, at) => row(`r${at}`, { fields: one }));
        // A part of them in the structures, the rest not yet.
        const table = await filled(rows.slice(0, 80));
        await index.maintain(table);
        await index.add(table, rows.slice(80));
        await fc.assert(
          fc.asyncProperty(filter, async (one) => {
            const expected = ids(rows.filter((each) => matchesFilter(one, valuesOf(each)))).toSorted();
            const near = await index.nearest(table, { vector: vectorOf(1), limit: 200, filter: one, mark: 1 });
            expect(ids(near).toSorted()).toEqual(expected);
            const worded = await index.keyword(table, { terms: ['word'], stems: [], limit: 200, filter: one, mark: 1 });
            expect(ids(worded).toSorted()).toEqual(expected);
          }),
          { numRuns: times(30, 60), seed: 11 },
        );
      });

      test('a long text is contained as a whole, not piece by piece', async () => {
        const sign = (at: number) => String.fromCodePoint(0xac00 + ((at * 7_919) % 11_172));
        const [one, two, three] = [0, 64, 128].map((from) =>
          Array.from({ length: 64 }, (_, at) => sign(from + at)).join(''),
        );
        const whole = `${one}${two}${three}`;
        const table = await filled([
          row('whole', { fields: { note: `- ${whole} -` } }),
          row('pieces', { fields: { note: `${three} ${one} ${two}` } }),
          row('again', { fields: { note: `${'ab'.repeat(500)}c` } }),
        ]);
        const find = async (value: string) => {
          const filter: IndexFilter = { op: 'contains', field: 'note', value };
          return ids(await index.keyword(table, { terms: ['word'], stems: [], limit: 9, filter })).toSorted();
        };
        expect(await find(whole)).toEqual(['whole']);
        expect(await find(two ?? '')).toEqual(['pieces', 'whole']);
        expect(await find(`${'ab'.repeat(400)}c`)).toEqual(['again']);
        expect(await find(`${'ab'.repeat(400)}d`)).toEqual([]);
      });

      test('know the document', async () => {
        const table = await filled(['a', 'b', "c'"].map((id) => row(id, { documentId: id })));
        const find = async (one: IndexFilter) =>
          ids(await index.nearest(table, { vector: vectorOf(1), limit: 9, filter: one })).toSorted();
        expect(await find({ op: 'in', field: 'document_id', values: ['a', "c'", 7] })).toEqual(['a', "c'"]);
        expect(await find({ op: 'not', of: { op: 'in', field: 'document_id', values: ['a'] } })).toEqual(['b', "c'"]);
        expect(await find({ op: 'gte', field: 'document_id', value: 'b' })).toEqual(['b', "c'"]);
        expect(await find({ op: 'contains', field: 'document_id', value: "'" })).toEqual(["c'"]);
        expect(await find({ op: 'exists', field: 'document_id' })).toEqual(['a', 'b', "c'"]);
        expect(await find({ op: 'lt', field: 'document_id', value: 3 })).toEqual([]);
      });

      test('choose what may be read: rows without readers, and those of the readers who are named', async () => {
        const names = ['user:a@example.kr', "group:x/o'neil", 'domain:example.kr'];
        const table = await filled([
          row('open', { fields: { year: 1 } }),
          row('nobody', { fields: readersField([]) }),
          ...names.map((name) => row(name, { fields: { ...readersField([name, 'user:z@example.kr']), year: 1 } })),
        ]);
        const find = async (own: readonly string[], filter: IndexFilter | null = null) => {
          const sight = { names: own, whole: [], bound: new Set(['c']) };
          const readable = readableOnly(filter, sight, 'c') ?? undefined;
          const near = await index.nearest(table, { vector: vectorOf(1), limit: 9, filter: readable });
          const words = await index.keyword(table, { terms: ['word'], stems: [], limit: 9, filter: readable });
          expect(ids(near).toSorted()).toEqual(ids(words).toSorted());
          return ids(words).toSorted();
        };
        expect(await find([])).toEqual(['open']);
        expect(await find(['user:none@example.kr', '-x'])).toEqual(['open']);
        for (const name of names) expect(await find([name])).toEqual([name, 'open'].toSorted());
        expect(await find(['user:z@example.kr'])).toEqual([...names, 'open'].toSorted());
        const year: IndexFilter = { op: 'in', field: 'year', values: [1] };
        expect(await find([], { op: 'not', of: year })).toEqual([]);
        expect(await find([], { op: 'or', of: [year, { op: 'exists', field: '$readers' }] })).toEqual(['open']);
      });
    });

    test('a search that nobody waits for any more ends with the reason', async () => {
      const table = await filled([row('a')]);
      const reason = new Error('gone');
      const signal = AbortSignal.abort(reason);
      await expect(index.nearest(table, { vector: vectorOf(1), limit: 1, signal })).rejects.toBe(reason);
      await expect(index.keyword(table, { terms: ['word'], stems: [], limit: 1, signal })).rejects.toBe(reason);
      const stop = new AbortController();
      const searching = index.nearest(table, { vector: vectorOf(1), limit: 1, signal: stop.signal });
      stop.abort(reason);
      await expect(searching).rejects.toBe(reason);
    });

    test('a search that is given up while it looks ends with the reason, and the table is none the worse', async () => {
      const table = await filled([row('a')]);
      const reason = new Error('the caller went away');
      const byWords = { terms: ['word'], stems: ['word'], limit: 1 };
      const searches = [
        (signal: AbortSignal) => index.nearest(table, { vector: vectorOf(1), limit: 1, signal }),
        (signal: AbortSignal) => index.keyword(table, { ...byWords, signal }),
      ];
      for (const search of searches) {
        const stop = new AbortController();
        const { signal } = stop;
        // Whoever listens is under way.
        const listen = signal.addEventListener.bind(signal);
        signal.addEventListener = (...args: Parameters<typeof listen>) => {
          listen(...args);
          queueMicrotask(() => stop.abort(reason));
        };
        await expect(search(signal)).rejects.toBe(reason);
        expect(signal.aborted).toBe(true);
      }
      expect(await index.keyword(table, byWords)).toHaveLength(1);
    });

    describe('a table that was taken away or damaged', () => {
      test('is lost, for those who know it and those who do not, and can be made anew', async () => {
        const table = await filled([row('a')]);
        await host.destroy(table);
        const fresh = host.open();
        for (const one of [index, fresh]) {
          await expect(one.nearest(table, { vector: vectorOf(1), limit: 1 })).rejects.toMatchObject({ kind: 'lost' });
          await expect(one.keyword(table, { terms: ['word'], stems: [], limit: 1 })).rejects.toMatchObject({
            kind: 'lost',
          });
          await expect(allIds(one, table)).rejects.toMatchObject({ kind: 'lost' });
        }
        await index.createTable(table, { dimension: DIMENSION });
        await index.add(table, [row('b')]);
        for (const one of [index, fresh])
          expect(ids(await one.nearest(table, { vector: vectorOf(1), limit: 1 }))).toEqual(['b']);
        await fresh.close();
      });

      test('is lost when its files are cut off, and can be dropped', async () => {
        let table = await filled([row('a'), row('b')]);
        for (let tries = 1; !(await host.damage(table)); tries++) {
          expect(tries, 'tables that could not be damaged').toBeLessThan(5);
          table = await filled([row('a'), row('b')]);
        }
        const fresh = host.open();
        // A server that is busy takes a while to tell: until then the table is away.
        const asked = () => fresh.nearest(table, { vector: vectorOf(1), limit: 1 });
        const kindOf = () =>
          asked().then(
            () => 'found',
            (error: { kind?: string }) => error.kind,
          );
        await expect.poll(kindOf, { timeout: LOST_MS }).not.toBe('unavailable');
        await expect(asked()).rejects.toMatchObject({ kind: 'lost' });
        await fresh.dropTable(table);
        expect(await fresh.tables()).not.toContain(table);
        await fresh.close();
      });
    });

    test('a copy that is made while others write is whole, and can be put back', async () => {
      const folder = await mkdtemp(join(tmpdir(), 'ai-studio-copy-'));
      try {
        const table = await filled(Array.from({ length: 50 }, (_, at) => row(`r${String(at).padStart(2, '0')}`)));
        const writing = (async () => {
          for (let at = 0; at < 20; at++) await index.add(table, [row(`later-${at}`)]);
        })();
        await Promise.all([index.copyOut(table, join(folder, 'copy')), writing]);
        await index.copyIn(`${table}_back`, join(folder, 'copy'));
        const back = await allIds(index, `${table}_back`);
        expect(back.filter((id) => id.startsWith('r'))).toHaveLength(50);
        expect(new Set(back).size).toBe(back.length);
        await index.remove(table, { rowIds: ['r00'] });
        await index.copyIn(table, join(folder, 'copy'));
        expect(await allIds(index, table)).toEqual(back);
        expect(ids(await index.keyword(table, { terms: ['word'], stems: [], limit: 100 })).length).toBe(back.length);
      } finally {
        await rm(folder, { recursive: true });
      }
    });

    test('nothing works after the end, which may be said twice', async () => {
      const one = host.open();
      await one.tables();
      await one.close();
      await one.close();
      await expect((async () => one.stats('x'))()).rejects.toMatchObject({ kind: 'unavailable' });
    });
  });
}
