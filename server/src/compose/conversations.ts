import {
  type Answers,
  createAnswers,
  createFollowUps,
  type FollowUpMaker,
  startRetention,
} from '../conversations/index.ts';
import type { OpenChat } from '../inference/index.ts';
import type { Catalogue } from '../models/catalogue.ts';
import type { RetrievalDeps } from '../retrieval/index.ts';
import type { Base } from './parts.ts';
import type { SealedData } from './store.ts';

interface Deps extends SealedData {
  readonly catalogue: Catalogue;
  readonly openChat: OpenChat;
  readonly collections: { readonly retrieval: RetrievalDeps };
}

/** What conversations are answered with. */
interface OpenConversations {
  readonly answers: Answers;
  readonly followUps: FollowUpMaker;
}

/** Opens the answers of conversations, and removes conversations whose time is over. */
export function openConversations({ log, parts }: Base, deps: Deps): OpenConversations {
  const { db, box, catalogue, openChat } = deps;
  const files = { retrieval: deps.collections.retrieval };
  const answers = parts.own('answers of conversations', createAnswers({ db, box, catalogue, openChat, log, files }));
  parts.onClose('retention of conversations', startRetention({ db, log, files }));
  return { answers, followUps: createFollowUps({ db, box, catalogue, openChat, log }) };
}
