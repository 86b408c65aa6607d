import { bareHarmony, harmonyStarts } from '@ai-studio/reply-format/harmony.ts';
import { closeTags } from '@ai-studio/reply-format/think-close.ts';
import { type ThinkTags, hyperclovaInTurn, thinkTags } from '@ai-studio/reply-format/think-tags.ts';
import type { JsonText } from '../../kernel/json-text.ts';
import type { ReasoningFormat } from '../../models/profile.ts';

const allTags: readonly ThinkTags[] = [
  ...Object.values(thinkTags).filter((tags) => tags !== thinkTags.hyperclova),
  { open: thinkTags.hyperclova.open, close: hyperclovaInTurn.close },
  hyperclovaInTurn,
];
const edges = [...allTags.map(({ open }) => open), ...closeTags];

/** What a reply, or what follows its thinking, begins with. */
export type Beginning =
  /** Too little of it has come. */
  | { readonly kind: 'unknown' }
  | { readonly kind: 'harmony' }
  /** Thinking that ends with `close`; null: a closing tag alone. */
  | { readonly kind: 'tag'; readonly rest: string; readonly close: string | null }
  | { readonly kind: 'text' };

const UNKNOWN = { kind: 'unknown' } as const;
const HARMONY = { kind: 'harmony' } as const;
const TEXT = { kind: 'text' } as const;

const mayBecome = (text: string, marks: readonly string[]) => marks.some((mark) => mark.startsWith(text));

/** `text`: without white space before it. `isAnswer`: tags in it are text. */
export function beginningOf(text: string, format: ReasoningFormat, isAnswer: boolean): Beginning {
  if (text === '') return UNKNOWN;
  if (format === 'auto' || format === 'harmony') {
    if (harmonyStarts.some((mark) => text.startsWith(mark))) return HARMONY;
    if (mayBecome(text, harmonyStarts)) return UNKNOWN;
  }
  const { open, close } = bareHarmony;
  if (format === 'harmony' && text.startsWith(open)) return { kind: 'tag', rest: text.slice(open.length), close };
  if (format === 'harmony' && open.startsWith(text)) return UNKNOWN;
  return isAnswer ? TEXT : tagAt(text);
}

function tagAt(text: string): Beginning {
  const tags = allTags.find(({ open }) => text.startsWith(open));
  if (tags) return { kind: 'tag', rest: text.slice(tags.open.length), close: tags.close };
  const stray = closeTags.find((tag) => text.startsWith(tag));
  if (stray !== undefined) return { kind: 'tag', rest: text.slice(stray.length), close: null };
  return mayBecome(text, edges) ? UNKNOWN : TEXT;
}

/** UTF-8 lead bytes that white space beyond ASCII may have, and what tags and escapes begin with. */
const notPlain: ReadonlySet<number> = new Set([0xc2, 0xe1, 0xe2, 0xe3, 0xef, 0x3c, 0x5b, 0x5c, 0x2f]);

/** Whether a text surely begins with neither white space nor a tag. */
export function beginsPlainly(json: JsonText): boolean {
  const first = json.charCodeAt(0);
  return first > 0x20 && !notPlain.has(first);
}

/** Whether some of a tag may stand in a piece of text. */
export const mayHoldTag = (json: JsonText): boolean => json.includes('<') || json.includes('[') || json.includes('\\u');

/** What closing tags have within them, however a slash is escaped. */
const closeCores = ['think>', 'thinking>', 'thought>', 'reasoning>', 'THINK]', 'END_THINKING', 'im_end'];

/**
 * Whether a whole closing tag may stand in a long text at the beginning of a reply: an event that was parsed, so that no bracket is
 * escaped. Single characters are looked for first, which costs a fraction.
 */
export const mayHoldClose = (json: JsonText): boolean =>
  (json.includes('<') || json.includes('[/') || json.includes('[\\/')) &&
  closeCores.some((core) => json.includes(core));
