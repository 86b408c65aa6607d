import type { Note, Span } from '../../document.ts';
import type { ObjectPlace } from './places.ts';
import type { Item } from './session.ts';

/** The content that a control of a paragraph adds. */
export type ControlContent =
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
      /** Distance below the top of the body; null where it stands at its place in the text. */
      readonly top: number | null;
      /** As the file gives it; left out where there is none. */
      readonly place?: ObjectPlace;
    };

/** Nothing to be read. */
export const noContent: ControlContent = { kind: 'nothing' };
/** Things that stand at their place in the text. */
export const objectsContent = (items: readonly Item[]): ControlContent => ({
  kind: 'objects',
  items,
  splits: false,
  words: null,
  top: null,
});
/** Text of its own. */
export const spansContent = (text: string): ControlContent =>
  text === '' ? noContent : { kind: 'spans', spans: [{ text }] };
