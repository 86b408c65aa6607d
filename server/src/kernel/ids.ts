import { randomFillSync } from 'node:crypto';

const ID_CHARACTERS = 32;
/** So many ids are made at once. An id may be a part of the text of all of them, which is short for that. */
const POOL_IDS = 64;
const random = Buffer.allocUnsafe((POOL_IDS * ID_CHARACTERS) / 2);
let pool = '';
let used = 0;

/** 32 lower-case hex characters: the id of a collection, document, chunk, task or request. Source: decisions section 1. */
export function hexId(): string {
  if (used === pool.length) {
    pool = randomFillSync(random).toString('hex');
    used = 0;
  }
  used += ID_CHARACTERS;
  return pool.slice(used - ID_CHARACTERS, used);
}

/** `chatcmpl-` and 32 hex characters. */
export const chatReplyId = () => `chatcmpl-${hexId()}`;

/** The id of a tool call, for engines that give none. */
export const toolCallId = () => `call_${hexId().slice(0, 24)}`;
