import type { NewTurn } from '@ai-studio/contract/console/conversations.ts';
import type { z } from 'zod';
import { StudioError } from '../kernel/errors.ts';
import { pathTo, type Placed, shownPath } from './branches.ts';

/**
 * The messages that go before the next one. A question that is answered anew stays itself; without `replace_from` and without words,
 * the last question is answered anew. Nothing is dropped: what is left out here is another version. Throws StudioError
 * `invalid_request`.
 */
export function retainMessages<M extends Placed>(
  all: readonly M[],
  leafId: string | null,
  { content, replace_from: from }: Pick<z.output<typeof NewTurn>, 'content' | 'replace_from'>,
): readonly M[] {
  const asked = content !== undefined;
  if (from === undefined) {
    const path = shownPath(all, leafId);
    return asked ? path : path.slice(0, path.findLastIndex(({ role }) => role === 'user') + 1);
  }
  const path = pathTo(all, from);
  const found = path.at(-1);
  if (found === undefined)
    throw new StudioError('invalid_request', 'replace_from names no message of this conversation', {
      param: 'replace_from',
      reason: 'invalid_field',
    });
  return !asked && found.role === 'user' ? path : path.slice(0, -1);
}
