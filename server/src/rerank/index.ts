export { rerank, type RerankDeps, type Reranked } from './rerank.ts';
