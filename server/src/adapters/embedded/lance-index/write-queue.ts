import type { IndexRow } from '../../../ports/search-index.ts';

/** What is to be written. */
export type Write =
  | { readonly kind: 'add'; readonly rows: readonly IndexRow[] }
  | { readonly kind: 'replace'; readonly rows: readonly IndexRow[] }
  | { readonly kind: 'remove'; readonly where: string };

interface PendingWrite {
  readonly write: Write;
  readonly onCommitted: () => void;
  readonly onFailed: (error: unknown) => void;
}

/** Rows and numbers of one commit: more would hold the event loop up while they are packed. */
const MAX_ROWS = 2_048;
const MAX_VALUES = 1024 * 1024;

export interface WriteQueue {
  /** Resolves once it is written, in the order of the calls. */
  push(write: Write): Promise<void>;
  /** Resolves once nothing waits. */
  idle(): Promise<void>;
}

/**
 * One writer: writes go one after the other, and additions that wait together become one commit, as each commit costs a
 * few milliseconds and a file.
 */
export function createWriteQueue(commit: (write: Write) => Promise<void>): WriteQueue {
  const pending: PendingWrite[] = [];
  let running: Promise<void> | null = null;

  /** The next write, with the additions after it that fit in. */
  function takeNext(): { readonly write: Write; readonly members: readonly PendingWrite[] } | null {
    const first = pending.shift();
    if (first === undefined) return null;
    const members = [first];
    if (first.write.kind !== 'add') return { write: first.write, members };
    const rows = [...first.write.rows];
    const dimension = rows[0]?.vector.length ?? 0;
    for (;;) {
      const next = pending[0]?.write;
      if (next?.kind !== 'add') break;
      const count = rows.length + next.rows.length;
      if (count > MAX_ROWS || count * dimension > MAX_VALUES) break;
      rows.push(...next.rows);
      members.push(...pending.splice(0, 1));
    }
    return { write: { kind: 'add', rows }, members };
  }

  async function run(): Promise<void> {
    for (let next = takeNext(); next !== null; next = takeNext()) {
      try {
        await commit(next.write);
        for (const { onCommitted } of next.members) onCommitted();
      } catch (error) {
        for (const { onFailed } of next.members) onFailed(error);
      }
    }
    running = null;
  }

  return {
    push: (write) =>
      new Promise((onCommitted, onFailed) => {
        pending.push({ write, onCommitted, onFailed });
        running ??= Promise.resolve().then(run);
      }),
    async idle() {
      while (running !== null) await running;
    },
  };
}
