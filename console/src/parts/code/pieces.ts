/** What a piece of code is, of those that have a colour in code.module.css. */
const kinds = [
  'constant',
  'string',
  'comment',
  'keyword',
  'parameter',
  'function',
  'string-expression',
  'punctuation',
  'link',
] as const;
type PieceKind = (typeof kinds)[number];

/** A piece of a line that looks the same; `kind` null: as the code around it. */
export interface Piece {
  readonly text: string;
  readonly kind: PieceKind | null;
  readonly italic: boolean;
}

/** A token of shiki, as far as it is read. */
interface Token {
  readonly content: string;
  /** A variable of the theme. */
  readonly color?: string | undefined;
  readonly fontStyle?: number | undefined;
}

/** Of `FontStyle` of shiki, which is made of bits. */
const ITALIC = 1;

const kindOf = (color = ''): PieceKind | null => kinds.find((kind) => color === `var(--code-token-${kind})`) ?? null;

/** Tokens of a line as few pieces: an element for each token costs a page more than all else of an answer. */
export function piecesOf(tokens: readonly Token[]): Piece[] {
  const pieces: Piece[] = [];
  for (const { content: text, color, fontStyle = 0 } of tokens) {
    const last = pieces.at(-1);
    const kind = kindOf(color);
    // FontStyle of shiki is -1 where nothing is set.
    const italic = fontStyle > 0 && (fontStyle & ITALIC) !== 0;
    // What is not seen looks like what it follows.
    const joins = last !== undefined && ((last.kind === kind && last.italic === italic) || text.trim() === '');
    if (joins) pieces[pieces.length - 1] = { ...last, text: last.text + text };
    else pieces.push({ text, kind, italic });
  }
  return pieces;
}
