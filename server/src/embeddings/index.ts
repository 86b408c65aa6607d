export { embed, type EmbedContext, type EmbedDeps, type Embedded } from './embed.ts';
