import type { IncomingHttpHeaders } from 'node:http';
import { hexId } from '../kernel/ids.ts';

/** A caller's own request id is kept when it is short and plain, so that both logs can be joined. */
const SAFE_ID = /^[A-Za-z0-9._:-]{8,128}$/;

export function requestIdOf(headers: IncomingHttpHeaders): string {
  const given = headers['x-request-id'];
  return typeof given === 'string' && SAFE_ID.test(given) ? given : hexId();
}
