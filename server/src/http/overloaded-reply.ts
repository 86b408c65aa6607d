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

/** Stands for the id of a request in bodies that tell it. */
const ANY_ID = '0'.repeat(32);

/** A failure as it is sent to all. */
interface Overloaded {
  readonly status: number;
  readonly body: string;
}

/** A sender of the refusal of an overloaded service, whose bodies, by the forms of failures, are made once. The request is not read. */
export function createOverloadedReply<Form extends string>(failures: { readonly [F in Form]?: Render }) {
  const made = new Map<Form, Overloaded>();
  const replyOf = (form: Form): Overloaded => {
    let reply = made.get(form);
    if (reply === undefined) {
      const { status, body } = failures[form]?.(overloaded(), ANY_ID) ?? { status: 503, body: {} };
      made.set(form, (reply = { status, body: Buffer.from(JSON.stringify(body)).toString('latin1') }));
    }
    return reply;
  };
  let turn = 0;
  return (exchange: HttpExchange, form: Form): void => {
    const { status, body: text } = replyOf(form);
    const requestId = requestIdOf(exchange.headers);
    const body = text.replace(ANY_ID, requestId);
    turn = (turn + 1) % MAX_RETRY_SECONDS;
    const headers = [
      'X-Request-Id',
      requestId,
      'Content-Type',
      'application/json; charset=utf-8',
      'Content-Length',
      String(body.length),
      'Retry-After',
      String(turn + 1),
    ];
    exchange.reply(status, headers, body);
  };
}
