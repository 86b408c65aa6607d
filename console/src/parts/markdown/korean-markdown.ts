import type { Options } from 'react-markdown';
import remarkCjkFriendly from 'remark-cjk-friendly';
import remarkGfm from 'remark-gfm';

/**
 * Markdown (GFM) as Koreans write it: one wave is a range (`10~20명`) and two strike out, and emphasis may end before a
 * particle (`**(가)**는`). The reader of Markdown files does the same.
 */
export const koreanMarkdown: NonNullable<Options['remarkPlugins']> = [
  [remarkGfm, { singleTilde: false }],
  remarkCjkFriendly,
];
