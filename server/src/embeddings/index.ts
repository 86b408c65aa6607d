export { embed, type EmbedDeps, type Embedded } from './embed.ts';
