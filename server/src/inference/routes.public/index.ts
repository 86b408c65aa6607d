export { chatRoutes, type ChatRoutesDeps } from './chat.ts';
export { embeddingRoutes } from './embeddings.ts';
export { moderationRoutes } from './moderations.ts';
export { modelRoutes, type ModelRouteDeps } from './models.ts';
export { rerankRoutes } from './rerank.ts';
export { createChatHandler, type ChatCaller, type ChatRouteDeps } from './serve-chat.ts';
export { tokenRoutes, type TokenRouteDeps } from './tokens.ts';
