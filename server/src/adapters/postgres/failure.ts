/** Codes of transient connection failures. Source: errno(3); PostgreSQL, appendix A. */
const TRANSIENT_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOENT',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EAI_AGAIN',
  '57P01', // admin_shutdown
  '57P02', // crash_shutdown
  '57P03', // cannot_connect_now: it is starting
  '08000',
  '08001',
  '08003',
  '08004',
  '08006',
]);

/** Whether the database was not reached, or was lost on the way, as opposed to having refused what was asked. */
export function isConnectionFailure(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code } = error as NodeJS.ErrnoException;
  if (code !== undefined && TRANSIENT_CODES.has(code)) return true;
  if (error instanceof AggregateError) return error.errors.some(isConnectionFailure);
  return /Connection terminated|timeout expired|timeout exceeded when trying to connect|Client has encountered a connection error/.test(
    error.message,
  );
}

/** Whether a server that answers has no connection left. Source: PostgreSQL, appendix A: too_many_connections. */
export const isServerFull = (error: unknown): boolean => (error as NodeJS.ErrnoException | null)?.code === '53300';

/**
 * Whether a transaction was rolled back because of concurrent ones; a retry succeeds. Source: PostgreSQL,
 * appendix A: serialization_failure, deadlock_detected.
 */
export const isTransactionConflict = (error: unknown): boolean =>
  error instanceof Error && ['40001', '40P01'].includes((error as NodeJS.ErrnoException).code ?? '');
