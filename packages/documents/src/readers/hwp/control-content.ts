import type { Note, Span } from '../../document.ts';
import type { Item } from './session.ts';

/** What a control of a paragraph comes to. */
export type Found =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'spans'; readonly spans: readonly Span[] }
  | { readonly kind: 'note'; readonly span: Span; readonly note: Note }
  | {
      readonly kind: 'objects';
      readonly items: readonly Item[];
      /** The text before it and the text after it are two paragraphs. */
      readonly splits: boolean;
      /** A few words in a frame that stands in the line like a letter. */
      readonly words: readonly Span[] | null;
      /** How far below the top of the body it stands; null where it stands at its place in the text. */
      readonly top: number | null;
    };

/** Nothing to be read. */
export const nothing: Found = { kind: 'nothing' };
/** Things that stand at their place in the text. */
export const objects = (items: readonly Item[]): Found => ({
  kind: 'objects',
  items,
  splits: false,
  words: null,
  top: null,
});
/** Text of its own. */
export const spansOf = (text: string): Found => (text === '' ? nothing : { kind: 'spans', spans: [{ text }] });
