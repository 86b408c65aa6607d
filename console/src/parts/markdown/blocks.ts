/** A part of a text that can be shown on its own: what follows does not change it. */
export type Block =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'code'; readonly text: string; readonly language: string | null; readonly closed: boolean };

const fence = /^ {0,3}(`{3,}|~{3,})[ \t]*([^`]*)$/;
/** Code in a list: a fence that does not stand at the margin. */
const innerFence = /^(?: {2,}|\t)\s*(`{3,}|~{3,})/;
const listItem = /^ {0,3}(?:[-*+]|\d{1,9}[.)])(?:[ \t]|$)/;
const definition = /^ {0,3}\[[^\]]+\]:[ \t]*\S/;

/** An item at the margin: not one that is within another. */
const outerItem = /^(?:[-*+]|(\d{1,9})[.)])[ \t]/;
/** Lines of a list after which it goes on as another one: what is drawn anew while it grows stays short. */
const MAX_LIST_LINES = 60;

const inList = (block: readonly string[]) => listItem.test(block[0] ?? '');

/** Whether a line after an empty one still belongs to what stands before it: a list goes on, or what is in it. */
function goesOn(block: readonly string[], line: string): boolean {
  if (inList(block)) return listItem.test(line) || /^(?: {2,}|\t)/.test(line);
  // Footnotes and indented code.
  return /^(?: {4}|\t)/.test(line);
}

/**
 * Takes a Markdown text apart at places where the parts before can no longer change while the text grows. Lists stay
 * whole; code between fences at the margin is a block of its own, also before its end is here.
 */
export function splitBlocks(markdown: string): Block[] {
  const blocks: Block[] = [];
  const definitions: string[] = [];
  let open: string[] = [];
  let afterEmpty = false;
  /** Mark of the code within a list that is open. */
  let inner: string | null = null;
  let code: { mark: string; language: string | null; lines: string[] } | null = null;

  const close = () => {
    if (open.some((line) => line.trim() !== '')) blocks.push({ kind: 'text', text: open.join('\n').trimEnd() });
    open = [];
  };
  /** Whether a list is cut before this line. */
  const isCut = (line: string) => open.length >= MAX_LIST_LINES && inList(open) && outerItem.test(line);
  const closeCode = (closed: boolean) => {
    if (code !== null) blocks.push({ kind: 'code', text: code.lines.join('\n'), language: code.language, closed });
    code = null;
  };

  for (const line of markdown.split(/\r?\n/)) {
    if (code !== null) {
      const end = fence.exec(line);
      if (end?.[1]?.startsWith(code.mark) && end[2]?.trim() === '') closeCode(true);
      else code.lines.push(line);
      continue;
    }
    if (inner !== null && (line.trim() === '' || /^\s/.test(line))) {
      open.push(line);
      if (line.trim().startsWith(inner) && line.trim().replaceAll(inner.charAt(0), '') === '') inner = null;
      continue;
    }
    // A line at the margin ends the list, and the code in it.
    inner = inList(open) ? (innerFence.exec(line)?.[1] ?? null) : null;
    if (inner !== null) {
      open.push(line);
      afterEmpty = false;
      continue;
    }
    const start = fence.exec(line);
    if (start?.[1] !== undefined) {
      close();
      const language = start[2]?.trim().split(/[\s{:]/)[0] ?? '';
      code = { mark: start[1], language: language === '' ? null : language, lines: [] };
      afterEmpty = false;
      continue;
    }
    if (isCut(line)) {
      const number = nextNumber(open);
      close();
      open.push(number === null ? line : line.replace(/^\d+/, String(number)));
      afterEmpty = false;
      continue;
    }
    const empty = line.trim() === '';
    if (!empty && afterEmpty && open.length > 0 && !goesOn(open, line)) close();
    if (!empty || open.length > 0) open.push(line);
    if (definition.test(line)) definitions.push(line);
    afterEmpty = empty;
  }
  closeCode(false);
  close();
  return definitions.length === 0 ? blocks : blocks.map((block) => withDefinitions(block, definitions));
}

/** The number of the item that follows a list of numbers, which count from the first whatever stands before the others; null: it has none. */
function nextNumber(list: readonly string[]): number | null {
  const first = outerItem.exec(list[0] ?? '')?.[1];
  if (first === undefined) return null;
  return Number(first) + list.filter((line) => outerItem.exec(line)?.[1] !== undefined).length;
}

/** Links that are named elsewhere in the text work in every block that names one. */
function withDefinitions(block: Block, definitions: readonly string[]): Block {
  if (block.kind === 'code' || !block.text.includes('[')) return block;
  const missing = definitions.filter((line) => !block.text.includes(line));
  return missing.length === 0 ? block : { kind: 'text', text: `${block.text}\n\n${missing.join('\n')}` };
}
