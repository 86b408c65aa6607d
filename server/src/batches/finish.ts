import type { BatchOutputLine, BatchStatus } from '@ai-studio/contract/batches.ts';
import { sql } from 'kysely';
import { Readable } from 'node:stream';
import { addWrittenFile, blobKey, type FilesDeps } from '../files/index.ts';
import { onceBack } from '../jobs/once-back.ts';
import { LeaseLost } from '../jobs/worker.ts';
import type { Database } from '../ports/database.ts';
import { readBatchLine } from './check-lines.ts';
import { chooseFiles, doneLines } from './outcomes.ts';
import { readLines } from './read-lines.ts';
import { batchJobs, type ClaimedBatch } from './record.ts';
import { unrunLine } from './run-line.ts';

/** Results that are read at once. */
const PAGE = 100;

/** Lines of an output or error file, in the order of the input. */
async function* resultLines({ query }: Database, batchId: string, ok: boolean): AsyncGenerator<string> {
  for (let after = 0; ;) {
    const rows = await query
      .selectFrom('batch_results')
      .select(['line', 'output'])
      .where('batch_id', '=', batchId)
      .where('ok', '=', ok)
      .where('line', '>', after)
      .orderBy('line')
      .limit(PAGE)
      .execute();
    for (const { output } of rows) yield `${output}\n`;
    if (rows.length < PAGE) return;
    after = rows.at(-1)?.line ?? 0;
  }
}

const expired = {
  code: 'batch_expired',
  message: 'This request could not be run before the completion window of the batch was over.',
} as const;

/** The lines of an input file that never ran, as those of an error file. */
async function* unrunLines(deps: FilesDeps & FinishLimits, batch: ClaimedBatch, path: string): AsyncGenerator<string> {
  const done = await doneLines(deps.db, batch.id);
  for await (const line of readLines(path, deps.maxLineBytes)) {
    if (done.has(line.number)) continue;
    const read = readBatchLine(line, batch.endpoint);
    if ('request' in read)
      yield `${JSON.stringify(unrunLine(read.request.customId, expired) satisfies BatchOutputLine)}\n`;
  }
}

async function* joined(...parts: AsyncGenerator<string>[]): AsyncGenerator<string> {
  for (const part of parts) yield* part;
}

interface FinishLimits {
  readonly maxLineBytes: number;
}

/** A file that was written. */
interface Written {
  readonly bytes: number;
  readonly lines: number;
}

/** Writes lines to the blob store, piece by piece; nothing where there are none. */
async function write({ blobs }: FilesDeps, key: string, lines: AsyncGenerator<string>): Promise<Written> {
  const first = await lines.next();
  if (first.done === true) return { bytes: 0, lines: 0 };
  let count = 1;
  async function* counted(line: string) {
    yield Buffer.from(line);
    for await (const next of lines) {
      count++;
      yield Buffer.from(next);
    }
  }
  const bytes = await blobs.put(key, Readable.from(counted(first.value), { objectMode: false }));
  return { bytes, lines: count };
}

/** Writes the results of a batch whose lines run no more, and ends it. Rejects with LeaseLost where it is not this process's any more. */
export async function finishBatch(
  deps: FilesDeps & FinishLimits,
  batch: ClaimedBatch,
  { path, signal }: { readonly path: string | null; readonly signal: AbortSignal },
): Promise<void> {
  const { db } = deps;
  const chosen = await onceBack(() => chooseFiles(db, batch), signal);
  if (chosen === null) throw new LeaseLost();
  const status: BatchStatus = chosen.state === 'cancelling' ? 'cancelled' : (chosen.ending ?? 'completed');
  const isCut = status === 'expired' && path !== null;
  const keyOf = (id: string) => blobKey(batch.tenant_id, id);
  const output = await onceBack(
    () => write(deps, keyOf(chosen.output_file_id), resultLines(db, batch.id, true)),
    signal,
  );
  const errors = await onceBack(
    () =>
      write(
        deps,
        keyOf(chosen.error_file_id),
        joined(resultLines(db, batch.id, false), ...(isCut ? [unrunLines(deps, batch, path)] : [])),
      ),
    signal,
  );
  signal.throwIfAborted();
  const end = () =>
    db.transaction(async (tx) => {
      const files = [
        { id: chosen.output_file_id, what: 'output', ...output },
        { id: chosen.error_file_id, what: 'error', ...errors },
      ].filter(({ lines }) => lines > 0);
      const idOf = (what: string) => files.find((file) => file.what === what)?.id ?? null;
      const isOurs = await batchJobs.update(tx, batch, {
        state: status,
        ended_at: sql<Date>`clock_timestamp()`,
        claim: null,
        completed: output.lines,
        failed: errors.lines,
        output_file_id: idOf('output'),
        error_file_id: idOf('error'),
      });
      if (!isOurs) return false;
      for (const { id, what, bytes } of files)
        await addWrittenFile(tx, {
          id,
          tenantId: batch.tenant_id,
          name: `${batch.id}_${what}.jsonl`,
          bytes,
          expiresAfterSeconds: batch.output_seconds,
        });
      await tx.deleteFrom('batch_results').where('batch_id', '=', batch.id).execute();
      return true;
    });
  if (!(await onceBack(end, signal))) throw new LeaseLost();
}
