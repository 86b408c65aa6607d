import { randomFillSync } from 'node:crypto';

const POOL_BYTES = 4096;
const pool = Buffer.allocUnsafe(POOL_BYTES);
let used = POOL_BYTES;

/** 32 lower-case hex characters: the id of a collection, document, chunk, task or request. Source: decisions section 1. */
export function hexId(): string {
  if (used === POOL_BYTES) {
    randomFillSync(pool);
    used = 0;
  }
  used += 16;
  return pool.toString('hex', used - 16, used);
}

/** `chatcmpl-` and 32 hex characters. */
export const chatReplyId = () => `chatcmpl-${hexId()}`;

/** The id of a tool call, for engines that give none. */
export const toolCallId = () => `call_${hexId().slice(0, 24)}`;
