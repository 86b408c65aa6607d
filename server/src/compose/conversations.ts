import { type Answers, createAnswers, keepRetention } from '../conversations/index.ts';
import type { OpenChat } from '../inference/index.ts';
import type { SecretBox } from '../kernel/secret-box.ts';
import type { Catalogue } from '../models/catalogue.ts';
import type { Database } from '../ports/database.ts';
import type { Base } from './parts.ts';

interface Deps {
  readonly db: Database;
  readonly box: SecretBox;
  readonly catalogue: Catalogue;
  readonly openChat: OpenChat;
}

/** Opens the answers of conversations, and removes conversations whose time is over. */
export function openConversations({ log, parts }: Base, { db, box, catalogue, openChat }: Deps): Answers {
  const answers = parts.own('answers of conversations', createAnswers({ db, box, catalogue, openChat, log }));
  parts.onClose('retention of conversations', keepRetention({ db, log }));
  return answers;
}
