/** What models of layout name a block, and how it is written. Source: dots.ocr, "Layout Categories". */
const shapes: Readonly<Record<string, (text: string) => string>> = {
  title: (text) => `# ${text}`,
  sectionheader: (text) => (text.startsWith('#') ? text : `## ${text}`),
  listitem: (text) => (/^(?:[-*+]|\d+[.)])\s/.test(text) ? text : `- ${text}`),
  formula: (text) => (text.startsWith('$') ? text : `$$\n${text}\n$$`),
  picture: () => '',
  pageheader: () => '',
  pagefooter: () => '',
};

const fence = /^\s*```(?:json)?[^\S\n]*\n(.*?)\n?```\s*$/s;

interface LayoutBlock {
  readonly category: string;
  readonly text: string;
}

function layoutBlock(value: unknown): LayoutBlock | null {
  if (typeof value !== 'object' || value === null) return null;
  const { category, text } = value as Readonly<Record<string, unknown>>;
  if (typeof category !== 'string') return null;
  return {
    category: category.toLowerCase().replaceAll(/[^a-z]/g, ''),
    text: typeof text === 'string' ? text.trim() : '',
  };
}

/**
 * Markdown of a list of blocks in JSON, as models of layout write it (`[{"bbox": […], "category": "Title", "text": "…"}]`), in its order; null
 * for any other text.
 */
export function blocksAsMarkdown(answer: string): string | null {
  const json = fence.exec(answer)?.[1] ?? answer;
  if (!json.trimStart().startsWith('[')) return null;
  let list: unknown;
  try {
    list = JSON.parse(json);
  } catch {
    return null;
  }
  if (!Array.isArray(list)) return null;
  const blocks = list.flatMap((value: unknown) => layoutBlock(value) ?? []);
  if (blocks.length === 0 || blocks.length < list.length) return null;
  return blocks
    .flatMap(({ category, text }) => {
      const shape = Object.hasOwn(shapes, category) ? shapes[category] : undefined;
      const written = text === '' || shape === undefined ? text : shape(text);
      return written === '' ? [] : [written];
    })
    .join('\n\n');
}
