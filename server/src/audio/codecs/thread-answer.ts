import type { Container, ForProgram } from './container.ts';
import type { AudioError } from './sound.ts';

/** What a thread says of its file. */
export type ThreadAnswer =
  | { readonly type: 'decoded'; readonly seconds: number; readonly container: Container }
  | { readonly type: 'needs_program'; readonly container: ForProgram; readonly format: string }
  | { readonly type: 'refused'; readonly code: AudioError['code']; readonly message: string };
