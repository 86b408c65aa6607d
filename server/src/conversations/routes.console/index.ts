export { chatModelRoutes } from './chat-models.ts';
export { conversationRoutes } from './conversations.ts';
export { conversationFileRoutes } from './files.ts';
export { conversationFolderRoutes } from './folders.ts';
export { conversationShareRoutes } from './shares.ts';
