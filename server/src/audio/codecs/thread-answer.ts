import type { DecodeOutcome } from './decode-file.ts';
import type { AudioError } from './sound.ts';

/** What a thread posts of its file. */
export type ThreadAnswer =
  | DecodeOutcome
  | { readonly type: 'refused'; readonly code: AudioError['code']; readonly message: string };
