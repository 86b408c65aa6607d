/** A picture as chats take it. */
export interface PicturePart {
  readonly type: 'image_url';
  readonly image_url: { readonly url: string };
}

interface Turn {
  readonly role: 'user' | 'assistant';
  readonly content: string;
  /** What a question shows. */
  readonly pictures?: readonly PicturePart[];
}

/** Bytes of history for each token of context: text has three (Korean) or more, which leaves a third for the answer. */
const BYTES_PER_TOKEN = 2;

/**
 * The latest turns that the model has room for, the last one in any case. They begin with a question, as many chat
 * templates refuse anything else.
 */
function fitToContext(turns: readonly Turn[], room: number): readonly Turn[] {
  let left = room;
  let from = turns.length;
  while (from > 0) {
    left -= Buffer.byteLength(turns[from - 1]?.content ?? '');
    if (left < 0 && from < turns.length) break;
    from--;
  }
  while (from > 0 && from < turns.length - 1 && turns[from]?.role !== 'user') from++;
  return turns.slice(from);
}

/** A turn as models take it; questions alone show pictures. */
type ModelTurn =
  | { role: 'system' | 'assistant'; content: string }
  | { role: 'user'; content: string | ({ type: 'text'; text: string } | PicturePart)[] };

function asMessage({ role, content, pictures = [] }: Turn): ModelTurn {
  if (role === 'assistant' || pictures.length === 0) return { role, content };
  return { role, content: [...(content === '' ? [] : [{ type: 'text' as const, text: content }]), ...pictures] };
}

/**
 * A conversation as models take it: without thinking, without answers that hold nothing, with questions that got none
 * joined, as many chat templates refuse two of one side in a row, and without the beginning where it is too long for
 * `contextLength` tokens.
 */
export function historyOf(
  messages: readonly Turn[],
  system: string | null,
  contextLength: number,
): readonly ModelTurn[] {
  const turns: Turn[] = [];
  for (const { role, content, pictures = [] } of messages) {
    if (content === '' && pictures.length === 0) continue;
    const last = turns.at(-1);
    if (last?.role === role)
      turns[turns.length - 1] = {
        role,
        content: `${last.content}\n\n${content}`,
        pictures: [...(last.pictures ?? []), ...pictures],
      };
    else turns.push({ role, content, pictures });
  }
  const room = contextLength * BYTES_PER_TOKEN - Buffer.byteLength(system ?? '');
  const fitted = fitToContext(turns, room).map(asMessage);
  return system === null ? fitted : [{ role: 'system' as const, content: system }, ...fitted];
}
