import type { Citation } from '@ai-studio/contract/agents/run.ts';
import type { ConversationMessage } from '@ai-studio/contract/console/conversations.ts';
import type { SecretBox } from '../kernel/secret-box.ts';

/**
 * What the database holds of personal values of a conversation, where a policy masks them: tokens in its texts, and, sealed
 * with the key of the installation, what these stand for.
 */
export interface ValueMask {
  /** A text for the database, with tokens in place of the values. */
  mask(text: string): string;
  /** A text of the database as its person wrote and read it. */
  unmask(text: string): string;
  /** What holds the values, for the database; null where there are none. */
  readonly sealed: string | null;
  /** The same mask with further values, by their tokens. */
  with(values: ReadonlyMap<string, string>): ValueMask;
}

const TOKEN = /\[[A-Z_]{2,24}_[0-9A-Z]{8}\]/g;
/** A token that a title or a passage of a search was cut in. */
const CUT_END = /\[[A-Z_]{2,24}(?:_[0-9A-Z]{0,8})?(?=…?$)/;
const CUT_BEGINNING = /^[A-Z_]{0,24}_?[0-9A-Z]{0,8}\]/;

const escapeRegExp = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
const purposeOf = (conversationId: string) => `personal values of conversation ${conversationId}`;

function createValueMask(
  box: SecretBox,
  conversationId: string,
  values: ReadonlyMap<string, string>,
  unreadable: readonly string[] = [],
): ValueMask {
  const tokens = new Map([...values].map(([token, value]) => [value, token]));
  // The longest first: a value may stand within another one.
  const known = [...tokens.keys()].toSorted((a, b) => b.length - a.length);
  const pattern = known.length === 0 ? null : new RegExp(known.map(escapeRegExp).join('|'), 'g');
  const mask: ValueMask = {
    mask: (text) => (pattern === null ? text : text.replace(pattern, (value) => tokens.get(value) ?? value)),
    unmask: (text) => text.replace(TOKEN, (token) => values.get(token) ?? token),
    get sealed() {
      const own = values.size === 0 ? [] : [box.seal(JSON.stringify([...values]), purposeOf(conversationId))];
      return [...unreadable, ...own].join('\n') || null;
    },
    with: (more) =>
      more.size === 0 ? mask : createValueMask(box, conversationId, new Map([...values, ...more]), unreadable),
  };
  return mask;
}

/**
 * The mask of a stored conversation. Values that were sealed with another key cannot be opened: their tokens stay in the texts, and
 * the sealed values are preserved in case the key is restored.
 */
export function openValueMask(
  box: SecretBox,
  { id, personal }: { readonly id: string; readonly personal: string | null },
): ValueMask {
  const values = new Map<string, string>();
  const unreadable: string[] = [];
  for (const sealed of personal?.split('\n') ?? []) {
    try {
      for (const [token, value] of JSON.parse(box.open(sealed, purposeOf(id))) as [string, string][])
        values.set(token, value);
    } catch {
      unreadable.push(sealed);
    }
  }
  return createValueMask(box, id, values, unreadable);
}

/** A part of a text of the database: what is left of tokens at its ends says nothing. */
export const withoutCutTokens = (text: string): string => text.replace(CUT_END, '').replace(CUT_BEGINNING, '');

type Maskable = Pick<ConversationMessage, 'content' | 'reasoning' | 'error' | 'feedback'> & {
  readonly follow_ups: readonly string[] | null;
};

/** A stored message as its person reads it. */
export const unmaskMessage = <T extends Maskable>({ unmask }: ValueMask, message: T): T => ({
  ...message,
  content: unmask(message.content),
  reasoning: message.reasoning === null ? null : unmask(message.reasoning),
  feedback: message.feedback === null ? null : { ...message.feedback, comment: unmask(message.feedback.comment) },
  follow_ups: message.follow_ups?.map(unmask) ?? null,
});

/** Sources as the database keeps them, or as people read them. What was found in them stands where it stood. */
export const maskCitations = (mask: ValueMask['mask'], citations: readonly Citation[]): Citation[] =>
  citations.map((one) => {
    const { content, matches } = one;
    const masked = { ...one, title: mask(one.title), content: mask(content) };
    if (matches === undefined) return masked;
    const place = (at: number) => Math.min(masked.content.length, mask(content.slice(0, at)).length);
    return { ...masked, matches: matches.map(({ start, end }) => ({ start: place(start), end: place(end) })) };
  });
