// Formulas as models write them become those that the Markdown parser knows: between two dollars, in a line or on lines of their own.

const inlineParts =
  /(`+)[\s\S]*?\1(?!`)|\\\\\[|\\\\\(|\\\[([\s\S]+?)\\\]|\\\((.+?)\\\)|\$\$[\s\S]+?\$\$|\\\$|\$(?![\s$])((?:\\.|[^$\\\n])+?)(?<!\s)\$(?!\d)/g;

/** Lines of a formula of its own, indented as what stands before it. */
function ownLines(formula: string, text: string, at: number): string {
  const lineStart = text.lastIndexOf('\n', at - 1) + 1;
  const indent = /^\s*/.exec(text.slice(lineStart, at))?.[0] ?? '';
  const isFirst = text.slice(lineStart, at).trim() === '';
  const lines = [
    '$$',
    ...formula
      .trim()
      .split('\n')
      .map((line) => line.trim()),
    '$$',
  ].join(`\n${indent}`);
  return `${isFirst ? '' : `\n\n${indent}`}${lines}\n`;
}

/**
 * A Markdown text with its formulas between `$$`: those between `\(` `\)`, `\[` `\]` and single dollars. A single dollar begins one only
 * where no space follows it, and ends one where none stands before it and no digit follows: prices stay prices. Code is left alone.
 */
export function markMaths(markdown: string): string {
  if (!/\\[[(]|\$/.test(markdown)) return markdown;
  return markdown.replaceAll(
    inlineParts,
    (all: string, _code, block?: string, inline?: string, dollars?: string, ...rest) => {
      const at = rest.find((one): one is number => typeof one === 'number') ?? 0;
      if (block !== undefined) return ownLines(block, markdown, at);
      if (inline !== undefined) return `$$${inline.trim()}$$`;
      if (dollars !== undefined) return `$$${dollars}$$`;
      if (!all.startsWith('$$')) return all;
      const lineStart = markdown.lastIndexOf('\n', at - 1) + 1;
      const lineEnd = markdown.indexOf('\n', at + all.length);
      const after = markdown.slice(at + all.length, lineEnd < 0 ? undefined : lineEnd);
      // Alone on its lines it is one of its own.
      if (markdown.slice(lineStart, at).trim() === '' && after.trim() === '')
        return ownLines(all.slice(2, -2), markdown, at);
      return all.replaceAll('\n', ' ');
    },
  );
}
