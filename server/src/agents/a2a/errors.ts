import { type ErrorCode, httpStatuses, StudioError } from '../../kernel/errors.ts';
import type { A2aDoor, A2aForm, A2aWire } from './form.ts';

// Failures of A2A, as JSON-RPC tells them. Source: decisions section 4, the table of cases.

interface Kind {
  readonly code: number;
  readonly message: string;
  /** Of ErrorInfo, in the 1.0 form. */
  readonly reason: string;
  /** What it is for the rest of the service. */
  readonly is: ErrorCode;
  /** Status in the 0.3 form. */
  readonly status: number;
  /** Status in the 1.0 form. */
  readonly status10: number;
  /** Status over JSON-RPC by the door of the card. */
  readonly statusRpc: number;
  /** Status over HTTP+JSON. Source: A2A 1.0, section 5.4. */
  readonly statusHttp: number;
}

const kind = (
  code: number,
  message: string,
  reason: string,
  is: ErrorCode,
  [status, status10, statusRpc, statusHttp]: readonly [number, number, number, number],
): Kind => ({ code, message, reason, is, status, status10, statusRpc, statusHttp });

/** Wrong requests, whose status differs between the forms. */
const wrong = [400, 200, 200, 400] as const;
/** What A2A itself tells of. */
const answered = (statusHttp: number) => [200, 200, 200, statusHttp] as const;
const all = (status: number) => [status, status, status, status] as const;

const a2aKinds = {
  parse: kind(-32700, 'Parse error', 'PARSE_ERROR', 'invalid_request', wrong),
  request: kind(-32600, 'Invalid Request', 'INVALID_REQUEST', 'invalid_request', wrong),
  method: kind(-32601, 'Method not found', 'METHOD_NOT_FOUND', 'invalid_request', [400, 200, 200, 404]),
  params: kind(-32602, 'Invalid params', 'INVALID_PARAMS', 'invalid_request', wrong),
  internal: kind(-32603, 'Internal error', 'INTERNAL_ERROR', 'internal', all(500)),
  taskNotFound: kind(-32001, 'Task not found', 'TASK_NOT_FOUND', 'not_found', answered(404)),
  taskNotCancelable: kind(-32002, 'Task cannot be canceled', 'TASK_NOT_CANCELABLE', 'conflict', answered(409)),
  unsupported: kind(
    -32004,
    'This operation is not supported',
    'UNSUPPORTED_OPERATION',
    'invalid_request',
    answered(400),
  ),
  contentType: kind(
    -32005,
    'Incompatible content types',
    'CONTENT_TYPE_NOT_SUPPORTED',
    'invalid_request',
    answered(415),
  ),
  version: kind(-32009, 'Version not supported', 'VERSION_NOT_SUPPORTED', 'invalid_request', answered(400)),
  // What HTTP tells by its status has codes of its own.
  rateLimited: kind(-32091, 'Too many requests', 'RATE_LIMITED', 'rate_limited', all(429)),
  forbidden: kind(-32092, 'Permission denied', 'PERMISSION_DENIED', 'forbidden', all(403)),
  notDeployed: kind(-32093, 'Agent workflow is not deployed', 'AGENT_NOT_DEPLOYED', 'forbidden', all(403)),
  agentNotFound: kind(-32094, 'Agent not found', 'AGENT_NOT_FOUND', 'not_found', all(404)),
  unauthenticated: kind(-32095, 'Authentication failed', 'UNAUTHENTICATED', 'unauthenticated', all(401)),
} as const satisfies Record<string, Kind>;
export type A2aKind = keyof typeof a2aKinds;

/** A failure that A2A has a code for. */
export class A2aError extends StudioError {
  readonly kind: A2aKind;
  /** Further facts, such as the task. */
  readonly facts: Readonly<Record<string, string>>;

  /** `detail` is for people outside and holds no secret. */
  constructor(
    of: A2aKind,
    detail: string,
    { facts = {}, cause }: { readonly facts?: Readonly<Record<string, string>>; readonly cause?: unknown } = {},
  ) {
    super(a2aKinds[of].is, detail, { cause });
    this.name = 'A2aError';
    this.kind = of;
    this.facts = facts;
  }
}

/** Failures of the rest of the service, and what HTTP refuses before it is looked at as JSON-RPC. */
const kindOfCode: Readonly<Record<ErrorCode, A2aKind>> = {
  invalid_request: 'request',
  unauthenticated: 'unauthenticated',
  forbidden: 'forbidden',
  not_found: 'agentNotFound',
  method_not_allowed: 'request',
  conflict: 'request',
  too_large: 'request',
  unsupported_media_type: 'request',
  unprocessable: 'request',
  rate_limited: 'rateLimited',
  client_closed: 'request',
  internal: 'internal',
  unavailable: 'internal',
  timeout: 'internal',
};

/** What a failure is in A2A: a request of another media type has no code of its own but at the doors of the card. */
const kindOf = (door: A2aDoor, error: StudioError): A2aKind => {
  if (error instanceof A2aError) return error.kind;
  return door !== 'interface' && error.code === 'unsupported_media_type' ? 'contentType' : kindOfCode[error.code];
};

function statusOf({ form, door }: A2aWire, kind: A2aKind): number {
  const { status, status10, statusRpc, statusHttp } = a2aKinds[kind];
  if (door === 'http_json') return statusHttp;
  if (door === 'json_rpc') return statusRpc;
  return form === '0.3' ? status : status10;
}

/** A failure in the words of A2A; the status is null where it is that of the code. */
export function describeError(
  wire: A2aWire,
  error: StudioError,
): { readonly status: number | null; readonly error: object } {
  const kind = kindOf(wire.door, error);
  const isOwn = error instanceof A2aError;
  const status = isOwn ? statusOf(wire, kind) : null;
  const facts = isOwn ? error.facts : {};
  if (wire.door === 'http_json') return { status, error: renderStatus(kind, error, status, facts) };
  return { status, error: renderError(wire.form, kind, error.message, facts) };
}

type Facts = Readonly<Record<string, string>>;

/** Source: A2A 1.0, section 9.5: `google.rpc.ErrorInfo`. */
const errorInfo = (reason: string, detail: string, facts: Facts) => ({
  '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
  reason,
  domain: 'a2a-protocol.org',
  metadata: { detail, ...facts },
});

/** `error` of a JSON-RPC reply. */
function renderError(form: A2aForm, of: A2aKind, detail: string, facts: Facts) {
  const { code, message, reason } = a2aKinds[of];
  if (form === '0.3') return { code, message, data: { detail, ...facts } };
  return { code, message, data: [errorInfo(reason, detail, facts)] };
}

/** Names of `google.rpc.Code` by HTTP status. Source: AIP-193. */
const rpcStatus: Readonly<Record<number, string>> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  405: 'UNIMPLEMENTED',
  409: 'FAILED_PRECONDITION',
  413: 'INVALID_ARGUMENT',
  415: 'INVALID_ARGUMENT',
  429: 'RESOURCE_EXHAUSTED',
  500: 'INTERNAL',
  503: 'UNAVAILABLE',
  504: 'DEADLINE_EXCEEDED',
};

/** `error` of an HTTP+JSON reply. Source: A2A 1.0, section 11.6; AIP-193. */
function renderStatus(of: A2aKind, error: StudioError, own: number | null, facts: Facts) {
  const code = own ?? httpStatuses[error.code];
  const { message, reason } = a2aKinds[of];
  return {
    code,
    status: rpcStatus[code] ?? 'UNKNOWN',
    message: `${message}: ${error.message}`,
    details: [errorInfo(reason, error.message, facts)],
  };
}
