import type { McpFailure } from '@ai-studio/contract/mcp/rpc.ts';
import { StudioError } from '../../kernel/errors.ts';
import { toStudioError } from '../../ports/failure.ts';
import type { HttpFailure } from '../../http-kit/failures.ts';

/** Codes of JSON-RPC 2.0; what HTTP tells by its status has the first one that servers may choose. */
const PARSE_ERROR = -32_700;
const INVALID_REQUEST = -32_600;
const INTERNAL_ERROR = -32_603;
const REFUSED = -32_000;

/** A body that is no JSON. */
export class NotJson extends StudioError {
  constructor(cause: unknown) {
    super('invalid_request', cause instanceof Error ? cause.message : 'The body is not valid JSON', { cause });
    this.name = 'NotJson';
  }
}

function rpcCode({ code }: StudioError, isNotJson: boolean): number {
  if (isNotJson) return PARSE_ERROR;
  if (code === 'internal') return INTERNAL_ERROR;
  return code === 'invalid_request' ? INVALID_REQUEST : REFUSED;
}

/** The id of a request, as far as it is known. */
export type RpcId = string | number | null;

/** Renders failures of what came before the protocol; `base` knows their statuses and headers, and logs the service's own. */
export function createMcpFailures(base: (error: unknown, requestId: string) => HttpFailure) {
  return (error: unknown, requestId: string, id: RpcId = null): HttpFailure & { readonly body: McpFailure } => {
    const { status, headers } = base(error, requestId);
    const known = toStudioError(error);
    const { message, param, code: reason } = known;
    const data = { reason, ...(param === null ? {} : { param }) };
    const code = rpcCode(known, error instanceof NotJson);
    return { status, headers, body: { jsonrpc: '2.0', id, error: { code, message, data } } };
  };
}
export type McpFailures = ReturnType<typeof createMcpFailures>;
