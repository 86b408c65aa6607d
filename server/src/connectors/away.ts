import type { StudioError } from '../kernel/errors.ts';
import type { Connector } from '../ports/connector.ts';

/** Failures by which nobody answers at all, where documents meet them one after the other. */
const silent: ReadonlySet<string> = new Set([
  'address_unreachable',
  'source_silent',
  'too_slow',
  'too_busy',
  'folder_missing',
]);
/** Statuses of servers that are there in the place of one that is not. */
const gateway: ReadonlySet<unknown> = new Set([502, 503, 504]);
/** Documents in a row that say that their source is away: one may be damaged there, or lie where nobody answers. */
const AWAY_AFTER = 5;

const isSilent = ({ reason, values }: StudioError): boolean =>
  silent.has(reason ?? '') || (reason === 'server_answered' && gateway.has(values['status']));

/** Tells a source that went away while its documents are fetched from documents that can't be had. */
export function createAwayWatch({ liesElsewhere = false }: Pick<Connector, 'liesElsewhere'>) {
  let silentInARow = 0;
  let unavailable = 0;
  let last: StudioError | null = null;
  return {
    /** Notes how a fetch went, null for well. Throws the failure where the source is away. */
    note(failure: StudioError | null): void {
      if (failure === null || !isSilent(failure)) silentInARow = 0;
      if (failure?.code !== 'unavailable') return;
      unavailable++;
      last = failure;
      if (isSilent(failure) && ++silentInARow >= AWAY_AFTER && !liesElsewhere) throw failure;
    },
    /** Throws where none of the documents that the source named could be had. */
    check(seen: number): void {
      if (last !== null && unavailable >= AWAY_AFTER && unavailable === seen && !liesElsewhere) throw last;
    },
  };
}
export type AwayWatch = ReturnType<typeof createAwayWatch>;
