import type { ConnectorRun } from '@ai-studio/contract/retrieval/connector.ts';
import { MAX_TOLD } from '@ai-studio/contract/retrieval/connector.ts';
import type { StudioError } from '../kernel/errors.ts';
import { toldOf } from './told.ts';

/** What a run has done so far, or would do. */
export interface SyncCounts {
  seen: number;
  added: number;
  changed: number;
  removed: number;
  failed: number;
  held_back: number;
  /** Documents whose readers alone were others. */
  readers_changed: number;
  /** Documents of which the source does not tell who may read them. */
  readers_unknown: number;
  readonly changes: ConnectorRun['changes'];
  readonly problems: ConnectorRun['problems'];
}

/** Of a run that begins. */
export const noCounts = (): SyncCounts => ({
  seen: 0,
  added: 0,
  changed: 0,
  removed: 0,
  failed: 0,
  held_back: 0,
  readers_changed: 0,
  readers_unknown: 0,
  changes: [],
  problems: [],
});

const MAX_NAME_LENGTH = 500;

/** Writes into the counts of a run what is told of documents by name: the first of them. */
export function createReport(counts: SyncCounts) {
  const told = (name: string) => name.slice(0, MAX_NAME_LENGTH);

  /** Tells of something that is to be known, though nothing failed. */
  const warn = (name: string, code: string | null, problem: StudioError) => {
    if (counts.problems.length < MAX_TOLD) counts.problems.push({ name: told(name), code, ...toldOf(problem) });
  };

  return {
    warn,
    /** Tells of a document, or a part of the source, that could not be taken. */
    fail(name: string, code: string | null, problem: StudioError) {
      counts.failed++;
      warn(name, code, problem);
    },
    /** Tells of the whole run, before all others, however many there are. */
    head(problem: StudioError) {
      counts.problems.unshift({ name: '', code: problem.reason ?? null, ...toldOf(problem) });
      counts.problems.splice(MAX_TOLD);
    },
    note(name: string, change: ConnectorRun['changes'][number]['change']) {
      if (counts.changes.length < MAX_TOLD) counts.changes.push({ name: told(name), change });
    },
  };
}
