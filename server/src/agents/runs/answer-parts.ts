import type { RunPart } from '@ai-studio/contract/agents/run.ts';
import { type Kysely, sql } from 'kysely';
import { StudioError } from '../../kernel/errors.ts';
import type { Tables } from '../../ports/database.ts';

// What the answer of a run brings beside its text. Parts stand in the log; once the run has ended or asks, in its row too.

/** Most parts of a run. */
const MAX_PARTS = 50;
/** Largest data of all parts of a run together, as JSON, in UTF-16 units. */
const MAX_DATA_LENGTH = 2_000_000;
/** Largest files of all parts of a run together, in bytes: callers get them within one message. */
export const MAX_FILES_BYTES = 16 * 1024 * 1024;

const dataLength = (part: RunPart) => (part.kind === 'data' ? (JSON.stringify(part.data) ?? '').length : 0);
/** Bytes of the file of a part; 0 of data. */
export const fileBytes = (part: RunPart): number => (part.kind === 'file' ? part.file.size : 0);

/** The parts of an answer in the order in which they were said, each once. */
export interface AnswerParts {
  all(): readonly RunPart[];
  /** Adds those that were not said before a crash. Throws StudioError `too_large` where they are too many or too large together. */
  add(parts: readonly RunPart[]): void;
}

/** `before`: those that were said before a crash. */
export function openAnswerParts(before: readonly RunPart[], onPart: (part: RunPart) => void): AnswerParts {
  const parts = new Map(before.map((part) => [part.id, part]));
  let data = before.reduce((sum, part) => sum + dataLength(part), 0);
  let bytes = before.reduce((sum, part) => sum + fileBytes(part), 0);
  return {
    all: () => [...parts.values()],
    add(said) {
      const added = said.filter(({ id }) => !parts.has(id));
      data += added.reduce((sum, part) => sum + dataLength(part), 0);
      bytes += added.reduce((sum, part) => sum + fileBytes(part), 0);
      if (parts.size + added.length > MAX_PARTS)
        throw new StudioError('too_large', `An answer brings at most ${MAX_PARTS} files and pieces of data`);
      if (data > MAX_DATA_LENGTH)
        throw new StudioError(
          'too_large',
          `The data of the answer has more than ${MAX_DATA_LENGTH} characters as JSON; ask for less of it`,
        );
      if (bytes > MAX_FILES_BYTES)
        throw new StudioError(
          'too_large',
          `The files of the answer have more than ${MAX_FILES_BYTES} bytes together; ask for fewer of them`,
        );
      for (const part of added) {
        parts.set(part.id, part);
        onPart(part);
      }
    },
  };
}

/** The parts of a run as its log has them, up to an event or so far. */
export async function readParts(query: Kysely<Tables>, runId: string, until?: number): Promise<RunPart[]> {
  const rows = await query
    .selectFrom('agent_events')
    .select('body')
    .where('run_id', '=', runId)
    .$if(until !== undefined, (events) => events.where('seq', '<=', until ?? 0))
    .where(sql<boolean>`body ->> 'type' = 'part'`)
    .orderBy('seq')
    .execute();
  return rows.flatMap(({ body }) => (body.type === 'part' ? [body.part] : []));
}
