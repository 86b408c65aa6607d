import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Connector, MAX_SOURCE_ID, type SourceChange, type SourceItem } from '../../src/ports/connector.ts';

/** A source that a test changes. Names are those of files. */
export interface TestedSource {
  readonly connector: Connector;
  /** Puts a document there, or another content in its place. */
  put(name: string, content: string): Promise<void>;
  /** Takes a document away. */
  remove(name: string): Promise<void>;
  /** Makes the whole source unreachable, for the rest of the test. */
  takeAway(): Promise<void>;
  close(): Promise<void>;
}

/** What sources of a kind do beyond what all do. */
export interface SourceTraits {
  /** Whether a document that went is told of; a feed forgets what is old. */
  readonly tellsRemovals: boolean;
}

type Told = { readonly end: Extract<SourceChange, { type: 'end' }>; readonly changes: readonly SourceChange[] };

const listOf = async (connector: Connector, cursor: string | null = null, maxItems = 1_000): Promise<Told> => {
  const changes: SourceChange[] = [];
  for await (const change of connector.list({ cursor, maxItems, signal: AbortSignal.timeout(20_000) }))
    changes.push(change);
  const end = changes.at(-1);
  if (end?.type !== 'end') throw new Error('the listing has no end');
  return { end, changes: changes.slice(0, -1) };
};

/** What there is after a listing, given what there was. */
function applied(before: ReadonlyMap<string, SourceItem>, { end, changes }: Told): Map<string, SourceItem> {
  const after = new Map(end.isWhole ? [] : before);
  for (const change of changes) {
    if (change.type === 'present') after.set(change.item.id, change.item);
    if (change.type === 'removed') after.delete(change.id);
    const known = change.type === 'unreadable' && change.id !== null ? before.get(change.id) : undefined;
    if (known !== undefined) after.set(known.id, known);
  }
  return after;
}

/** What every connector does, whatever its source is. `open` makes an empty source. */
export function describeConnector(
  name: string,
  open: () => Promise<TestedSource>,
  { tellsRemovals }: SourceTraits,
): void {
  describe(`connector: ${name}`, () => {
    let scratch: string;
    let source: TestedSource;
    let files = 0;
    beforeAll(async () => void (scratch = await mkdtemp(join(tmpdir(), 'ai-studio-connector-'))));
    beforeEach(async () => {
      source = await open();
      return () => source.close();
    });
    afterAll(() => rm(scratch, { recursive: true, force: true }));

    const fetched = async (id: string, maxBytes = 1_000_000) => {
      const path = join(scratch, String(files++));
      const { bytes } = await source.connector.fetch(id, { path, maxBytes, signal: AbortSignal.timeout(20_000) });
      const content = await readFile(path);
      expect(content.length).toBe(bytes);
      return content.toString();
    };
    const itemOf = (items: ReadonlyMap<string, SourceItem>, wanted: string) => {
      const found = [...items.values()].filter((item) => item.name === wanted);
      expect(found).toHaveLength(1);
      return found[0] as SourceItem;
    };

    test('an empty source is an empty listing with an end', async () => {
      expect((await listOf(source.connector)).changes).toEqual([]);
    });

    test('names what is there, and gives the bytes of each', async () => {
      await source.put('a.txt', '가나다');
      await source.put('보고서 1#2.md', '# 제목');
      const items = applied(new Map(), await listOf(source.connector));
      expect([...items.values()].map((item) => item.name).sort()).toEqual(['a.txt', '보고서 1#2.md']);
      expect(await fetched(itemOf(items, 'a.txt').id)).toBe('가나다');
      expect(await fetched(itemOf(items, '보고서 1#2.md').id)).toBe('# 제목');
      for (const { id } of items.values()) expect([id.length > 0, id.length <= MAX_SOURCE_ID]).toEqual([true, true]);
    });

    test('what did not change keeps id and version; what changed keeps its id alone; listings go on from their cursor', async () => {
      await source.put('a.txt', 'one');
      await source.put('b.txt', 'one');
      const first = await listOf(source.connector);
      const before = applied(new Map(), first);
      const second = await listOf(source.connector, first.end.cursor);
      const same = applied(before, second);
      expect(same).toEqual(before);
      await source.put('b.txt', 'another');
      await source.put('c.txt', 'new');
      const after = applied(same, await listOf(source.connector, second.end.cursor));
      expect(itemOf(after, 'a.txt')).toEqual(itemOf(before, 'a.txt'));
      expect(itemOf(after, 'b.txt').id).toBe(itemOf(before, 'b.txt').id);
      expect(itemOf(after, 'b.txt').version).not.toBe(itemOf(before, 'b.txt').version);
      expect(await fetched(itemOf(after, 'b.txt').id)).toBe('another');
      expect(await fetched(itemOf(after, 'c.txt').id)).toBe('new');
    });

    test('a document that went is told of, and can not be fetched', async () => {
      await source.put('a.txt', 'one');
      await source.put('b.txt', 'two');
      const first = await listOf(source.connector);
      const before = applied(new Map(), first);
      await source.remove('a.txt');
      const after = applied(before, await listOf(source.connector, first.end.cursor));
      expect([...after.values()].map((item) => item.name)).toEqual(tellsRemovals ? ['b.txt'] : ['a.txt', 'b.txt']);
      await expect(fetched(itemOf(before, 'a.txt').id)).rejects.toMatchObject({ code: 'not_found' });
    });

    test('a listing beyond its limit is not whole, so that nothing is taken for gone', async () => {
      for (const at of [1, 2, 3]) await source.put(`${at}.txt`, 'x');
      const { end, changes } = await listOf(source.connector, null, 2);
      expect([end.isWhole, changes.filter(({ type }) => type === 'present').length]).toEqual([false, 2]);
      expect(changes.some(({ type }) => type === 'unreadable')).toBe(true);
    });

    test('a document beyond the limit of its size is refused', async () => {
      await source.put('a.txt', 'x'.repeat(2_000));
      const items = applied(new Map(), await listOf(source.connector));
      await expect(fetched(itemOf(items, 'a.txt').id, 1_000)).rejects.toMatchObject({
        code: 'too_large',
        reason: 'larger_than',
        values: { max_bytes: 1_000 },
      });
    });

    test('a source that is away is a failure, never an empty listing', async () => {
      await source.put('a.txt', 'one');
      await source.takeAway();
      await expect(listOf(source.connector)).rejects.toMatchObject({
        name: 'StudioError',
        code: 'unavailable',
        // By which people read why, in their language.
        reason: expect.any(String) as string,
      });
    });

    test('ends when it is told to', async () => {
      await source.put('a.txt', 'one');
      const reason = new Error('enough');
      const signal = AbortSignal.abort(reason);
      const all = async () => {
        for await (const change of source.connector.list({ cursor: null, maxItems: 10, signal })) void change;
      };
      await expect(all()).rejects.toBe(reason);
      const path = join(scratch, 'never');
      await expect(source.connector.fetch('a.txt', { path, maxBytes: 10, signal })).rejects.toBe(reason);
    });

    test.each(['../x', '/etc/hostname', 'https://elsewhere.example/a.txt', ''])(
      'the id %j leads nowhere',
      async (id) => {
        await source.put('a.txt', 'one');
        await expect(fetched(id)).rejects.toMatchObject({ code: 'not_found' });
      },
    );
  });
}
