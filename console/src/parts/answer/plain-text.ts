/**
 * A Markdown text as people paste it into a letter: without marks of headings, emphasis, links and code; lists keep their dashes, tables
 * become columns with tabs between, which office programs paste as tables.
 */
export function plainText(markdown: string): string {
  const lines: string[] = [];
  let fence: string | null = null;
  for (const line of markdown.split('\n')) {
    const mark = /^\s*(```+|~~~+)/.exec(line)?.[1];
    if (mark !== undefined && (fence === null || mark.startsWith(fence))) {
      fence = fence === null ? mark : null;
      continue;
    }
    if (fence !== null) {
      lines.push(line);
      continue;
    }
    // The line below the head of a table.
    if (/^\s*\|?\s*:?-+:?\s*(\|\s*:?-+:?\s*)*\|?\s*$/.test(line) && line.includes('|')) continue;
    lines.push(inlinePlain(/^\s*\|.*\|\s*$/.test(line) ? tableRow(line) : line));
  }
  return lines.join('\n').trim();
}

const tableRow = (line: string) =>
  line
    .trim()
    .slice(1, -1)
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim().replaceAll(/<br\s*\/?>/gi, ' '))
    .join('\t');

const inlinePlain = (line: string) =>
  line
    .replace(/^(\s*)#{1,6}\s+/, '$1')
    .replace(/^(\s*)>\s?/, '$1')
    .replace(/^(\s*)[*+]\s+(?:\[[ x]\]\s+)?/, '$1- ')
    .replaceAll(/!?\[([^\]]+)\]\((\S+?)(?:\s+"[^"]*")?\)/g, (_all, text: string, address: string) =>
      text === address ? text : `${text} (${address})`,
    )
    .replaceAll(/(\*\*|__)(?=\S)(.+?)(?<=\S)\1/g, '$2')
    .replaceAll(/(?<![\w*])\*(?=\S)([^*\n]+?)(?<=\S)\*(?![\w*])/g, '$1')
    .replaceAll(/~~(?=\S)(.+?)(?<=\S)~~/g, '$1')
    .replaceAll(/`([^`\n]+)`/g, '$1')
    .replaceAll(/\\([\\`*_{}[\]()#+\-.!|~>])/g, '$1');
