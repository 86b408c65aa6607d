import { type ErrorCode, StudioError } from '../../kernel/errors.ts';
import type { A2aForm } from './form.ts';

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
}

const kind = (
  code: number,
  message: string,
  reason: string,
  is: ErrorCode,
  [status, status10]: readonly [number, number],
): Kind => ({ code, message, reason, is, status, status10 });

/** Wrong requests, whose status differs between the forms. */
const wrong = [400, 200] as const;
/** What A2A itself tells of. */
const answered = [200, 200] as const;
const both = (status: number) => [status, status] as const;

const a2aKinds = {
  parse: kind(-32700, 'Parse error', 'PARSE_ERROR', 'invalid_request', wrong),
  request: kind(-32600, 'Invalid Request', 'INVALID_REQUEST', 'invalid_request', wrong),
  method: kind(-32601, 'Method not found', 'METHOD_NOT_FOUND', 'invalid_request', wrong),
  params: kind(-32602, 'Invalid params', 'INVALID_PARAMS', 'invalid_request', wrong),
  internal: kind(-32603, 'Internal error', 'INTERNAL_ERROR', 'internal', both(500)),
  taskNotFound: kind(-32001, 'Task not found', 'TASK_NOT_FOUND', 'not_found', answered),
  taskNotCancelable: kind(-32002, 'Task cannot be canceled', 'TASK_NOT_CANCELABLE', 'conflict', answered),
  unsupported: kind(-32004, 'This operation is not supported', 'UNSUPPORTED_OPERATION', 'invalid_request', answered),
  contentType: kind(-32005, 'Incompatible content types', 'CONTENT_TYPE_NOT_SUPPORTED', 'invalid_request', answered),
  version: kind(-32009, 'Version not supported', 'VERSION_NOT_SUPPORTED', 'invalid_request', answered),
  // What HTTP tells by its status has codes of its own.
  rateLimited: kind(-32091, 'Too many requests', 'RATE_LIMITED', 'rate_limited', both(429)),
  forbidden: kind(-32092, 'Permission denied', 'PERMISSION_DENIED', 'forbidden', both(403)),
  notDeployed: kind(-32093, 'Agent workflow is not deployed', 'AGENT_NOT_DEPLOYED', 'forbidden', both(403)),
  agentNotFound: kind(-32094, 'Agent not found', 'AGENT_NOT_FOUND', 'not_found', both(404)),
  unauthenticated: kind(-32095, 'Authentication failed', 'UNAUTHENTICATED', 'unauthenticated', both(401)),
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

/** A failure in the words of A2A; the status is null where it is that of the code. */
export function describeError(
  form: A2aForm,
  error: StudioError,
): { readonly status: number | null; readonly error: object } {
  if (error instanceof A2aError) {
    const { kind: of, message, facts } = error;
    const { status, status10 } = a2aKinds[of];
    return { status: form === '0.3' ? status : status10, error: renderError(form, of, message, facts) };
  }
  return { status: null, error: renderError(form, kindOfCode[error.code], error.message) };
}

/** `error` of a JSON-RPC reply. */
function renderError(form: A2aForm, of: A2aKind, detail: string, facts: Readonly<Record<string, string>> = {}) {
  const { code, message, reason } = a2aKinds[of];
  if (form === '0.3') return { code, message, data: { detail, ...facts } };
  return {
    code,
    message,
    data: [
      {
        '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
        reason,
        domain: 'a2a-protocol.org',
        metadata: { detail, ...facts },
      },
    ],
  };
}
