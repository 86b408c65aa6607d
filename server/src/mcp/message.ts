import { StudioError } from '../kernel/errors.ts';

/** What is looked at of a message before the protocol is. */
export interface McpMessage {
  /** Of a request; null for notifications and responses, and for an id that is none. */
  readonly id: string | number | null;
  readonly method: string | null;
  /** Of a call of a tool. */
  readonly tool: { readonly name: string; readonly args: unknown } | null;
  /** The request that a notification cancels. */
  readonly cancels: string | number | null;
}

type Fields = Readonly<Record<string, unknown>>;
const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};
const idOf = (value: unknown): string | number | null =>
  typeof value === 'string' || Number.isSafeInteger(value) ? (value as string | number) : null;

/** Whether the ids of a body are read at all. */
export const messageId = (body: unknown): string | number | null => idOf(fieldsOf(body)['id']);

/**
 * Reads what a body asks for. Throws StudioError `invalid_request` for several messages in one body, which the protocol has no more, and for an
 * id that no response could repeat: a number beyond what JSON numbers hold exactly would come back as another one.
 */
export function readMessage(body: unknown): McpMessage {
  if (Array.isArray(body))
    throw new StudioError('invalid_request', 'Send each message in a request of its own: batches are not taken');
  const { id: givenId, method: givenMethod, params: givenParams } = fieldsOf(body);
  const id = idOf(givenId);
  if (id === null && givenId !== undefined && givenId !== null)
    throw new StudioError('invalid_request', `id must be a text or a whole number up to ${Number.MAX_SAFE_INTEGER}`, {
      param: 'id',
    });
  const method = typeof givenMethod === 'string' ? givenMethod : null;
  const params = fieldsOf(givenParams);
  const name = params['name'];
  return {
    id,
    method,
    tool:
      id !== null && method === 'tools/call' && typeof name === 'string' ? { name, args: params['arguments'] } : null,
    cancels: method === 'notifications/cancelled' ? idOf(params['requestId']) : null,
  };
}
