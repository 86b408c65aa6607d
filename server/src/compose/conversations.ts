import { type Answers, createAnswers, startRetention } from '../conversations/index.ts';
import type { OpenChat } from '../inference/index.ts';
import type { Catalogue } from '../models/catalogue.ts';
import type { Base } from './parts.ts';
import type { SealedData } from './store.ts';

interface Deps extends SealedData {
  readonly catalogue: Catalogue;
  readonly openChat: OpenChat;
}

/** Opens the answers of conversations, and removes conversations whose time is over. */
export function openConversations({ log, parts }: Base, { db, box, catalogue, openChat }: Deps): Answers {
  const answers = parts.own('answers of conversations', createAnswers({ db, box, catalogue, openChat, log }));
  parts.onClose('retention of conversations', startRetention({ db, log }));
  return answers;
}
