import { EngineError, type EngineTrouble } from './engine.ts';

/** Error code of a connection to a forbidden address. */
export const ADDRESS_REFUSED = 'ADDRESS_REFUSED';

export const trouble = (code: EngineTrouble['code'], values: EngineTrouble['values'] = {}): EngineTrouble => ({
  code,
  values,
});

/** Codes of errors of connections. Source: Node.js, "Common system errors"; `dns`, error codes; ours for bytes that are no HTTP. */
const byCode: Readonly<Record<string, EngineTrouble['code']>> = {
  [ADDRESS_REFUSED]: 'engine_closed_address',
  ECONNREFUSED: 'engine_refuses',
  ENOENT: 'engine_refuses',
  ENOTFOUND: 'engine_unknown_host',
  EAI_AGAIN: 'engine_unknown_host',
  EHOSTUNREACH: 'engine_no_route',
  ENETUNREACH: 'engine_no_route',
  BAD_HTTP: 'engine_protocol',
};

/** The code of an error or of its causes. */
function findErrorCode(error: unknown, depth = 0): string {
  if (!(error instanceof Error) || depth > 5) return '';
  const { code } = error as { code?: unknown };
  if (typeof code === 'string') return code;
  return findErrorCode(error instanceof AggregateError ? error.errors[0] : error.cause, depth + 1);
}

/** The trouble of an engine by the status of its reply. */
export function troubleOfStatus(status: number): EngineTrouble {
  if (status === 401 || status === 403) return trouble('engine_key');
  if (status === 404) return trouble('engine_model_unknown');
  if (status === 429) return trouble('engine_busy');
  if (status >= 300 && status < 400) return trouble('engine_redirects');
  return trouble('engine_failed', { status });
}

/** The trouble of an engine by the error of a failed call. */
export function troubleOf(error: unknown): EngineTrouble {
  if (!(error instanceof EngineError)) return trouble('engine_unwell');
  if (error.busy) return trouble('engine_busy');
  if (error.status !== null) return troubleOfStatus(error.status);
  if (error.kind === 'timeout') return trouble('engine_slow');
  if (error.kind === 'protocol') return trouble('engine_protocol');
  const code = findErrorCode(error.cause);
  const troubleCode = byCode[code];
  if (troubleCode) return trouble(troubleCode);
  if (/CERT|TLS|SSL|UNABLE_TO|SELF_SIGNED|EPROTO/.test(code)) return trouble('engine_no_tls');
  // The queue of this service, when it is full.
  if (error.retryAfterSeconds !== null) return trouble('engine_busy');
  return trouble(code === '' ? 'engine_unwell' : 'engine_broken');
}
