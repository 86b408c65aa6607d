export { findReranker, rerank, type RerankDeps, type Reranked } from './rerank.ts';
