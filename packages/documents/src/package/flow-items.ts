import type { Block, Paragraph, Span } from '../document.ts';

/** The number or bullet before a paragraph, as it is shown. */
export interface Mark {
  readonly text: string;
  readonly ordered: boolean;
  /** 0 is the outermost. */
  readonly level: number;
  /** What numbers it; a new one at the outermost level begins a new list. */
  readonly list: string;
}

/** A paragraph as the file has it, before it is known what it is among the others. */
export interface Line {
  readonly type: 'line';
  readonly spans: readonly Span[];
  readonly page: number | null;
  readonly source?: string;
  readonly hidden?: boolean;
  /** Level of heading that the file gives, from 1. */
  readonly level?: number;
  readonly mark?: Mark;
  readonly role?: NonNullable<Paragraph['role']>;
  /** Made to stand under or over a table or a picture. */
  readonly caption?: boolean;
  /** A line of a program. */
  readonly code?: boolean;
  /** Size of its letters, in any unit that all lines share. */
  readonly size?: number;
  readonly bold?: boolean;
}

export type FlowItem = Line | Block;
