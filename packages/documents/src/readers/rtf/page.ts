import { escapeHtml } from '../../render/html.ts';

/** Puts paragraphs and tables together as HTML. */
export function createPage() {
  const parts: string[] = [];
  let paragraph: string[] = [];
  let cells: string[] = [];
  let inTable = false;
  /** Text of one look: a letter may come in two halves. */
  let run: string[] = [];
  let runIsBold = false;
  const endRun = () => {
    const text = escapeHtml(run.join(''));
    if (text !== '') paragraph.push(runIsBold && text.trim() !== '' ? `<b>${text}</b>` : text);
    run = [];
  };
  const flush = () => {
    endRun();
    const text = paragraph.join('');
    paragraph = [];
    return text;
  };
  const leaveTable = () => {
    if (inTable) parts.push('</table>');
    inTable = false;
  };
  return {
    text: (text: string, bold: boolean) => {
      if (bold !== runIsBold) endRun();
      runIsBold = bold;
      run.push(text);
    },
    line: () => {
      endRun();
      paragraph.push('<br>');
    },
    paragraph: (table: boolean, level: number) => {
      if (table) {
        endRun();
        paragraph.push('<br>');
        return;
      }
      leaveTable();
      const tag = level === 0 ? 'p' : `h${Math.min(6, level)}`;
      parts.push(`<${tag}>${flush()}</${tag}>`);
    },
    cell: () => cells.push(`<td>${flush()}</td>`),
    row: () => {
      if (!inTable) parts.push('<table>');
      inTable = true;
      parts.push(`<tr>${cells.join('')}</tr>`);
      cells = [];
    },
    end: () => {
      if (cells.length > 0) parts.push(inTable ? '' : '<table>', `<tr>${cells.join('')}</tr></table>`);
      else leaveTable();
      parts.push(`<p>${flush()}</p>`);
      return parts.join('\n');
    },
  };
}
