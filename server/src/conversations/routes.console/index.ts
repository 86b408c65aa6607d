export { chatModelRoutes } from './chat-models.ts';
export { conversationRoutes } from './conversations.ts';
export { type ConversationFileRouteDeps, conversationFileRoutes } from './files.ts';
