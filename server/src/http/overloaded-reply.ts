import { StudioError } from '../kernel/errors.ts';
import type { HttpFailure } from '../http-kit/failures.ts';
import type { HttpExchange } from '../http-kit/http-exchange.ts';
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
  const bodies = new Map<Form, string>();
  const bodyOf = (form: Form): string => {
    let body = bodies.get(form);
    if (body === undefined) {
      const rendered = failures[form]?.(overloaded(), '').body ?? {};
      bodies.set(form, (body = Buffer.from(JSON.stringify(rendered)).toString('latin1')));
    }
    return body;
  };
  let turn = 0;
  return (exchange: HttpExchange, form: Form): void => {
    const body = bodyOf(form);
    turn = (turn + 1) % MAX_RETRY_SECONDS;
    const headers = [
      'X-Request-Id',
      requestIdOf(exchange.headers),
      'Content-Type',
      'application/json; charset=utf-8',
      'Content-Length',
      String(body.length),
      'Retry-After',
      String(turn + 1),
    ];
    exchange.reply(503, headers, body);
  };
}
