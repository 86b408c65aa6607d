/** Characters of the titles before a passage, where its model reads more than that. */
export const PATH_CHARACTERS = 300;

/** Longest sentence of a model before a passage, in UTF-16 units, and the tokens that are left free for it. */
export const MAX_CONTEXT_LENGTH = 240;
export const CONTEXT_TOKENS = 160;

/** A title without what Markdown marks in it. */
const plain = (title: string) =>
  title
    .replaceAll(/[\\*_`~]/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim();

/** Titles that stand in a passage, as lines of Markdown. */
const titlesIn = (content: string): ReadonlySet<string> =>
  new Set([...content.matchAll(/^#{1,6} (.+)$/gm)].map(([, title = '']) => plain(title)));

/**
 * The text of a chunk that is embedded: the titles above it that do not stand in it, the nearest ones where not all have room, what a model says of
 * where it stands, and then what stands in it. Pure.
 */
export function embeddedText(
  {
    title,
    headings,
    content,
    context = null,
  }: {
    readonly title: string;
    readonly headings: readonly string[];
    readonly content: string;
    readonly context?: string | null;
  },
  pathLength = PATH_CHARACTERS,
): string {
  const within = titlesIn(content);
  const path = (headings.includes(title) || title === '' ? headings : [...headings, title]).filter(
    (one) => !within.has(plain(one)),
  );
  while (path.length > 1 && path.join(' > ').length > pathLength) path.shift();
  const titles = path.join(' > ').slice(0, pathLength).toWellFormed();
  return [titles, context ?? '', content].filter((part) => part !== '').join('\n\n');
}
