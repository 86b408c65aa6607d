export { createAnswers, type Answers } from './answers.ts';
export { toJsonExport, toMarkdown } from './export.ts';
export { namedCollections } from './collections.ts';
export { readCitation } from './cited.ts';
export {
  addFile,
  type ChatFilesDeps,
  describeFiles,
  findFile,
  openPicture,
  removeUnsent,
  withChatFiles,
} from './files/files.ts';
export { historyOf } from './history.ts';
export { changeConversation, createConversation, deleteConversation, getConversation } from './conversations.ts';
export { listConversations } from './list.ts';
export { startRetention } from './retention.ts';
export { titleOf } from './title.ts';
