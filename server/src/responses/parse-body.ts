import { isUtf8 } from 'node:buffer';
import { parseJson } from '../inference/index.ts';
import { invalidRequest } from '../kernel/errors.ts';

/** The value of a body. Throws StudioError `invalid_request`. */
export function parseBody(body: unknown): unknown {
  if (!Buffer.isBuffer(body) || body.length === 0) throw invalidRequest('The body is empty; send JSON');
  if (!isUtf8(body)) throw invalidRequest('The body is not valid UTF-8');
  return parseJson(body.toString('utf8'));
}
