import { closeTags } from '@ai-studio/reply-format/think-close.ts';
import { type ThinkTags, hyperclovaInTurn, thinkTags } from '@ai-studio/reply-format/think-tags.ts';
import type { JsonText } from '../../kernel/json-text.ts';

const allTags: readonly ThinkTags[] = [
  ...Object.values(thinkTags).filter((tags) => tags !== thinkTags.hyperclova),
  { open: thinkTags.hyperclova.open, close: hyperclovaInTurn.close },
  hyperclovaInTurn,
];
const edges = [...allTags.map(({ open }) => open), ...closeTags];

/** The tag that a text begins with, and what ends its thinking; null for a closing tag. */
export function leadingTag(text: string): { readonly tag: string; readonly close: string | null } | null {
  const tags = allTags.find(({ open }) => text.startsWith(open));
  if (tags) return { tag: tags.open, close: tags.close };
  const close = closeTags.find((tag) => text.startsWith(tag));
  return close === undefined ? null : { tag: close, close: null };
}

/** Whether a text may yet begin with a tag. */
export const mayBecomeTag = (text: string): boolean => edges.some((tag) => tag.startsWith(text));

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
