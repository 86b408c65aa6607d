import type { DecodeOutcome } from './decode-file.ts';
import type { AudioError } from './sound.ts';

/** The reply of a thread. */
export type ThreadReply =
  | DecodeOutcome
  | { readonly type: 'refused'; readonly code: AudioError['code']; readonly message: string };
