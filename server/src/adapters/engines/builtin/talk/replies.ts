import { en } from './replies.en.ts';
import { ko } from './replies.ko.ts';
import type { Replies } from '../words/sentences.ts';
import type { Language } from '../words/words.ts';

/** The sentences of the engine in each language. */
export const replies: Readonly<Record<Language, Replies>> = { ko, en };
