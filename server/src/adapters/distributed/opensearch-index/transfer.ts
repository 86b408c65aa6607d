import { linesOfHits, piecesOf, type Line } from './bulk.ts';
import type { Client, Request } from './client.ts';
import { unavailable } from './failure.ts';
import type { Query } from './filter-query.ts';
import { scroll } from './scroll.ts';
import { askFor } from './table.ts';

// Rows of one index are brought into another while they are written. What came is known by the numbers that each shard gives to its writes;
// what went leaves no number, and is found by looking at both in one order. Neither needs more memory for more rows.

const ROWS = 500;
const IDS = 5_000;

interface Hit {
  readonly _id: string;
  readonly _seq_no: number;
  readonly _primary_term: number;
  readonly _source?: Readonly<Record<string, unknown>>;
  readonly sort?: readonly unknown[];
}

/** Rows by an index, as they were when it was looked at. */
type View = AsyncGenerator<readonly Hit[], undefined>;

export interface TransferParts {
  readonly client: Client;
  readonly table: string;
  readonly from: string;
  /** How many shards that one has. */
  readonly shards: number;
  readonly to: string;
  /** Which rows of the old index are meant. */
  readonly only: Query;
  readonly put: (lines: readonly Line[]) => Promise<void>;
  readonly signal: AbortSignal;
}

interface ShardCopy {
  readonly routing?: { readonly primary?: boolean };
  readonly seq_no?: { readonly global_checkpoint?: number };
}

/** Rows in order, one at a time. */
async function* inOrder(view: View): AsyncGenerator<readonly [Buffer, Hit], undefined> {
  // By bytes, as the server orders them.
  for await (const hits of view) for (const hit of hits) yield [Buffer.from(String(hit.sort?.[0])), hit];
}

export function createTransfer({ client, table, from, shards, to, only, put, signal }: TransferParts) {
  const ask = (target: string, request: Request) => askFor(client, table, target, { ...request, signal });
  const refresh = async (target: string) => void (await ask(target, { method: 'POST', path: `/${target}/_refresh` }));
  const place = (target: string) => ({
    name: table,
    alias: target,
    ask: (request: Request) => ask(target, { ...request, path: `/${target}${request.path}` }),
    refresh: () => refresh(target),
  });
  /** Up to which write of each shard everything was brought. */
  const reached = new Map<string, number>();

  /** The last write of each shard before which none is missing on any of its copies. Throws IndexError. */
  async function checkpoints(): Promise<ReadonlyMap<string, number>> {
    const { body } = await ask(from, { method: 'GET', path: `/${from}/_stats/docs`, query: { level: 'shards' } });
    const numbers = Object.entries<readonly ShardCopy[]>(body?.indices?.[from]?.shards ?? {}).map(([shard, copies]) => {
      const primary = copies.find(({ routing }) => routing?.primary === true);
      return [shard, primary?.seq_no?.global_checkpoint ?? Number.NaN] as const;
    });
    if (numbers.length < shards || numbers.some(([, number]) => Number.isNaN(number)))
      throw unavailable(table, 'not all of its shards are served');
    return new Map(numbers);
  }

  return {
    /** Brings what was written since the last time. Resolves with how many rows that were. Throws IndexError, and the reason of the signal. */
    async bring(): Promise<number> {
      const now = await checkpoints();
      let count = 0;
      for (const [shard, number] of now) {
        const before = reached.get(shard);
        const since = before === undefined ? [] : [{ range: { _seq_no: { gt: before } } }];
        const query = { bool: { filter: [only, ...since] } };
        const body = { size: ROWS, preference: `_shards:${shard}`, query, seq_no_primary_term: true, signal };
        for await (const hits of scroll(client, place(from), body)) {
          for (const piece of piecesOf(linesOfHits(hits as readonly Hit[]))) await put(piece);
          count += hits.length;
        }
        reached.set(shard, number);
      }
      return count;
    },
    /**
     * Looks at both indices as they are now, while nothing is written by name; the rest is for when they are written again: it takes
     * from the new one what the old one has not, unless it was written anew. Throws IndexError, and the reason of the signal.
     */
    async compare(): Promise<() => Promise<void>> {
      const look = async (index: string, query: Query) => {
        const order = { sort: [{ row_id: 'asc' }], _source: false, seq_no_primary_term: true };
        const view = inOrder(scroll(client, place(index), { size: IDS, query, ...order, signal }) as View);
        return { view, first: await view.next() };
      };
      const [old, copy] = [await look(from, only), await look(to, { match_all: {} })];
      return async () => {
        try {
          let gone: Line[] = [];
          const flush = async () => {
            for (const piece of piecesOf(gone)) await put(piece);
            gone = [];
          };
          let [a, b] = [old.first, copy.first];
          while (b.done !== true) {
            const [key, hit] = b.value;
            const order = a.done === true ? 1 : Buffer.compare(a.value[0], key);
            if (order < 0) a = await old.view.next();
            else {
              if (order > 0) gone.push({ id: hit._id, ifVersion: [hit._seq_no, hit._primary_term] });
              if (order === 0) a = await old.view.next();
              b = await copy.view.next();
            }
            if (gone.length >= ROWS) await flush();
          }
          await flush();
          await refresh(to);
        } finally {
          await Promise.all([old.view.return(undefined), copy.view.return(undefined)]);
        }
      };
    },
  };
}
