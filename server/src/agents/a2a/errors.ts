import type { A2aForm } from './form.ts';

// Failures of A2A, as JSON-RPC tells them. Source: decisions section 4, the table of cases.

interface Kind {
  readonly code: number;
  readonly message: string;
  /** Of ErrorInfo, in the 1.0 form. */
  readonly reason: string;
  /** Status in the 0.3 form. */
  readonly status: number;
  /** Status in the 1.0 form. */
  readonly status10: number;
}

const kind = (code: number, message: string, reason: string, status: number, status10 = status): Kind => ({
  code,
  message,
  reason,
  status,
  status10,
});

export const a2aKinds = {
  parse: kind(-32700, 'Parse error', 'PARSE_ERROR', 400, 200),
  request: kind(-32600, 'Invalid Request', 'INVALID_REQUEST', 400, 200),
  method: kind(-32601, 'Method not found', 'METHOD_NOT_FOUND', 400, 200),
  params: kind(-32602, 'Invalid params', 'INVALID_PARAMS', 400, 200),
  internal: kind(-32603, 'Internal error', 'INTERNAL_ERROR', 500),
  taskNotFound: kind(-32001, 'Task not found', 'TASK_NOT_FOUND', 200),
  taskNotCancelable: kind(-32002, 'Task cannot be canceled', 'TASK_NOT_CANCELABLE', 200),
  pushNotSupported: kind(-32003, 'Push Notification is not supported', 'PUSH_NOTIFICATION_NOT_SUPPORTED', 200),
  unsupported: kind(-32004, 'This operation is not supported', 'UNSUPPORTED_OPERATION', 200),
  contentType: kind(-32005, 'Incompatible content types', 'CONTENT_TYPE_NOT_SUPPORTED', 200),
  version: kind(-32009, 'Version not supported', 'VERSION_NOT_SUPPORTED', 200),
  // What HTTP tells by its status comes with a code of its own.
  rateLimited: kind(-32091, 'Too many requests', 'RATE_LIMITED', 429),
  forbidden: kind(-32092, 'Permission denied', 'PERMISSION_DENIED', 403),
  notDeployed: kind(-32093, 'Agent workflow is not deployed', 'AGENT_NOT_DEPLOYED', 403),
  agentNotFound: kind(-32094, 'Agent not found', 'AGENT_NOT_FOUND', 404),
  unauthenticated: kind(-32095, 'Authentication failed', 'UNAUTHENTICATED', 401),
} as const satisfies Record<string, Kind>;
export type A2aKind = keyof typeof a2aKinds;

/** A failure that a caller is told about; `detail` is for people and holds no secret. */
export class A2aError extends Error {
  readonly kind: A2aKind;
  readonly detail: string;
  /** Further facts, such as the task. */
  readonly facts: Readonly<Record<string, string>>;

  constructor(
    of: A2aKind,
    detail: string,
    { facts = {}, cause }: { readonly facts?: Readonly<Record<string, string>>; readonly cause?: unknown } = {},
  ) {
    super(a2aKinds[of].message, cause === undefined ? undefined : { cause });
    this.name = 'A2aError';
    this.kind = of;
    this.detail = detail;
    this.facts = facts;
  }
}

/** `error` of a JSON-RPC reply. */
export function renderError(form: A2aForm, of: A2aKind, detail: string, facts: Readonly<Record<string, string>> = {}) {
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

export const statusOf = (form: A2aForm, of: A2aKind): number =>
  form === '0.3' ? a2aKinds[of].status : a2aKinds[of].status10;
