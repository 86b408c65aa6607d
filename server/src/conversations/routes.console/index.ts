export { chatModelRoutes } from './chat-models.ts';
export { conversationRoutes } from './conversations.ts';
