export { namesAgent, refuseTools } from './agent-turn.ts';
export { type AdmittedResponse, admitResponse, type ResponsesDeps } from './answer.ts';
export type { StreamedEvent } from './streamed-event.ts';
export { createBackground } from './background/index.ts';
export { takeUpResponses } from './background/jobs.ts';
export type { PayingKey } from './background/runner.ts';
export { type ConversationStore, createConversationStore } from './conversations.ts';
export {
  countedFirst,
  createFindFile,
  dataUrlOf,
  decodeFile,
  fileTextAt,
  type FindFile,
  type ReadFile,
  withinTexts,
} from './files.ts';
export { toJsonBytes } from './json-bytes.ts';
export { toldItem } from './told-item.ts';
export { createUnknownFields } from './unknown-fields.ts';
export { createResponseStore, shownResponse, startResponseRetention } from './store.ts';
export type { WebSearchServer } from './tools/web-search.ts';
