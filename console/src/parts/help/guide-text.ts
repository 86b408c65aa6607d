/** Begins the address of a guide within a text; the drawer opens it itself, nothing is ever asked there. */
export const GUIDE_ADDRESS = 'https://guide.invalid/';

/** A guide, taken apart. */
export interface GuideText {
  readonly title: string;
  /** Without its title; links to other guides begin with {@link GUIDE_ADDRESS}, those to other files are words. */
  readonly text: string;
  /** Headings of its parts. */
  readonly sections: readonly string[];
}

/** Takes a guide of docs/guide apart. */
export function readGuide(markdown: string): GuideText {
  const [head = '', ...rest] = markdown.split('\n');
  const text = rest
    .join('\n')
    .replaceAll(/\]\((?:\.\.\/)?([a-z0-9-]+)\.md(?:#[^)\s]*)?\)/g, `](${GUIDE_ADDRESS}$1)`)
    .replaceAll(/\[([^\]]+)\]\((?!https?:|mailto:)[^)]*\)/g, '$1');
  return {
    title: head.replace(/^#\s*/, ''),
    text: text.trim(),
    sections: [...text.matchAll(/^## (.+)$/gm)].map(([, name = '']) => name.trim()),
  };
}

/** One part of a guide, from its heading to the next; null where it has none of that name. */
export function sectionOf({ text }: GuideText, name: string): string | null {
  const parts = text.split(/^(?=## )/m);
  return parts.find((part) => part.startsWith(`## ${name}\n`))?.trim() ?? null;
}

/** The guide that an address within a text leads to; null for any other address. */
export const guideOfAddress = (href: string): string | null =>
  href.startsWith(GUIDE_ADDRESS) ? href.slice(GUIDE_ADDRESS.length) : null;
