import type { IncomingMessage, ServerResponse } from 'node:http';
import { StudioError } from '../kernel/errors.ts';
import type { HttpFailure } from '../http-kit/failures.ts';
import { requestIdOf } from '../http-kit/request-id.ts';

/** Those who are refused at one time are asked to come back at different ones, in so many seconds at most. */
const MAX_RETRY_SECONDS = 4;

const overloaded = () =>
  new StudioError(
    'unavailable',
    'The service has more requests than it can answer in time; try again in a few seconds',
  );

type Render = (error: unknown, requestId: string) => HttpFailure;

/** A sender of the 503 of an overloaded service, whose bodies, by the forms of failures, are made once. The request is not read. */
export function createOverloadedReply<Form extends string>(failures: { readonly [F in Form]?: Render }) {
  const bodies = new Map<Form, Buffer>();
  const bodyOf = (form: Form): Buffer => {
    let body = bodies.get(form);
    if (!body) {
      const rendered = failures[form]?.(overloaded(), '').body ?? {};
      bodies.set(form, (body = Buffer.from(JSON.stringify(rendered))));
    }
    return body;
  };
  let turn = 0;
  return (req: IncomingMessage, res: ServerResponse, form: Form): void => {
    const body = bodyOf(form);
    turn = (turn + 1) % MAX_RETRY_SECONDS;
    res.writeHead(503, [
      'X-Request-Id',
      requestIdOf(req.headers),
      'Content-Type',
      'application/json; charset=utf-8',
      'Content-Length',
      String(body.length),
      'Retry-After',
      String(turn + 1),
    ]);
    res.end(body);
  };
}
