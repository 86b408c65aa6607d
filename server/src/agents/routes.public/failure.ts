import { type A2aTag, type A2aWire, describeError } from '../index.ts';
import { toStudioError } from '../../ports/failure.ts';
import type { HttpFailure } from '../../http-kit/failures.ts';

/** The form of a failure without its id, as a surface's failures have it. */
type FailureOf = (error: unknown, requestId: string) => HttpFailure;

/** A failure as JSON text: an id is echoed as it was written. */
export interface A2aFailure {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Before anything of a request is known. */
export const unknownTag: A2aTag = { form: '0.3', door: 'interface', id: 'null' };

/** Renders failures of A2A; `base` knows their statuses and headers, and logs those that are the service's own fault. */
export function createA2aFailures(base: FailureOf) {
  return (error: unknown, requestId: string, tag: A2aTag = unknownTag): A2aFailure => {
    const { status, headers } = base(error, requestId);
    const described = describeError(tag, toStudioError(error));
    const json = JSON.stringify(described.error);
    const body = tag.door === 'http_json' ? `{"error":${json}}` : `{"jsonrpc":"2.0","id":${tag.id},"error":${json}}`;
    return { status: described.status ?? status, headers, body };
  };
}
export type A2aFailures = ReturnType<typeof createA2aFailures>;

/** `error` of a failure within a stream. */
export const streamError = (wire: A2aWire, error: unknown): object => describeError(wire, toStudioError(error)).error;
