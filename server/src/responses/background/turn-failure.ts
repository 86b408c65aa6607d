import { StudioError } from '../../kernel/errors.ts';
import { EngineError, type EngineTrouble } from '../../ports/engine.ts';
import { troubleOf } from '../../ports/engine-trouble.ts';
import { toStudioError } from '../../ports/failure.ts';

/**
 * What becomes of a response whose turn failed: it fails; it `waits`, as nobody has read the request; or it is made `again`, as an engine had
 * begun with it, and may have broken off because of it.
 */
export type TurnFate = 'fails' | 'waits' | 'again';

/** A response that breaks its engines off is not to do so forever. */
const MAX_BREAKS = 3;

/** Engines that are away for now. Those that lack a key or a model want a person. */
const away: ReadonlySet<EngineTrouble['code']> = new Set([
  'engine_refuses',
  'engine_unknown_host',
  'engine_no_route',
  'engine_busy',
]);
const broken: ReadonlySet<EngineTrouble['code']> = new Set([
  'engine_broken',
  'engine_slow',
  'engine_failed',
  'engine_unwell',
]);
/** Statuses of servers, and of proxies before them, that have not begun. */
const awayStatuses: ReadonlySet<number | null> = new Set([502, 503, 504]);

/** `begun`: whether something came of the turn. */
export function fateOf(error: unknown, begun: boolean): TurnFate {
  if (error instanceof StudioError)
    return error.code === 'rate_limited' || error.code === 'unavailable' ? 'waits' : 'fails';
  if (!(error instanceof EngineError) || error.kind === 'refused') return 'fails';
  // It has had all the time that there is.
  if (error.limit === 'total' || error.limit === 'whole_reply') return 'fails';
  if (begun) return 'again';
  if (error.limit === 'connect' || awayStatuses.has(error.status)) return 'waits';
  const { code } = troubleOf(error);
  return away.has(code) ? 'waits' : broken.has(code) ? 'again' : 'fails';
}

/** What a response has been through since its last turn that ended. */
export interface Patience {
  /** Number of claims, this one included. */
  readonly attempts: number;
  readonly waitedMs: number;
  readonly patienceMs: number;
}

/** What a response fails with whose turn failed so; null where it is made again later. */
export function failureOf(error: unknown, fate: TurnFate, { attempts, waitedMs, patienceMs }: Patience): unknown {
  if (fate === 'fails') return error;
  if (fate === 'again') return attempts < MAX_BREAKS ? null : error;
  if (waitedMs < patienceMs) return null;
  const { code, message } = toStudioError(error);
  const minutes = Math.round(waitedMs / 60_000);
  const told = `The response waited ${minutes} minutes for its turn and was given up. The last refusal: ${message}`;
  return new StudioError(code, told, { cause: error });
}
