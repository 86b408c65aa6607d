export {
  changeCollection,
  createCollection,
  embedderChooserOf,
  deleteCollection,
  discardReindex,
  ensureChatCollection,
  readCollection,
  reindexCollection,
} from './collections/verbs.ts';
export { listCollections } from './collections/list.ts';
export { findOwnCollection } from './collections/rows.ts';
export { collectionOfTable } from './collections/index-table-name.ts';
export { changeOwner } from './collections/owner.ts';
export type { ChunkAddress } from './chunks/find.ts';
export { addChunk, changeChunk, deleteChunk, listChunks, readChunk } from './chunks/verbs.ts';
export { type ChunkPreviews, createChunkPreviews, previewSourceOf, trialConfigOf } from './chunks/preview.ts';
export { collectionDetails, countDocuments } from './collections/details.ts';
export {
  collectionsEmbeddedBy,
  type EmbeddedLength,
  embeddedLengths,
  type EmbeddedPrefixes,
  embeddedPrefixes,
} from './collections/embedded-by.ts';
export { listFailingCollections } from './collections/failing.ts';
export { ingestDefaults } from './collections/config.ts';
export { pageReaders, requireChatToIngest } from './collections/parser-model.ts';
export { listCollectionNames } from './collections/names.ts';
export type { RetrievalDeps } from './deps.ts';
export type { DocumentAddress } from './documents/rows.ts';
export { createOriginals, type Originals, type OriginalsDeps } from './documents/original.ts';
export { findDocumentsByName, findKnownFiles } from './documents/known.ts';
export { uploadDocument } from './documents/upload.ts';
export { type ManyOutcome, uploadDocuments } from './documents/upload-many.ts';
export { addFiles, addLines, type BulkFile, type BulkOutcome } from './documents/bulk/index.ts';
export { deleteDocuments } from './documents/delete-many.ts';
export {
  changeDocument,
  deleteDocument,
  listDocuments,
  openOriginal,
  readDocument,
  reindexDocument,
} from './documents/verbs.ts';
export { listVisibleDocuments } from './documents/visible.ts';
export { embeddingModelsFor } from './embedding.ts';
export { addQuestions, findQuestion, listQuestions, removeQuestions } from './evaluation/questions.ts';
export { startEvaluations } from './evaluation/runner.ts';
export { createEvaluations, type Evaluations } from './evaluation/runs.ts';
export type { ExtractionDeps } from './extraction/deps.ts';
export { createExtractions, type Extractions } from './extraction/extractions.ts';
export { startExtractions } from './extraction/runner.ts';
export { type IngestFigures, readIngestFigures } from './ingest/figures.ts';
export { takeUpIngest } from './ingest/jobs.ts';
export { moveIndexes } from './ingest/move-indexes.ts';
export { rebuildIndexes } from './ingest/rebuild-indexes.ts';
export { startIngest } from './ingest/runner.ts';
export { changeReaders } from './readers/change.ts';
export { changeReaderGroup, forgetReaderGroups, forgetReaderLists } from './readers/groups.ts';
export { listReaders } from './readers/list.ts';
export { citedFor } from './readers/may-read.ts';
export { LEXICAL_MODEL } from './lexical-embedder/index.ts';
export { type Passage, passageOf } from './search/passage.ts';
export { isPassages, type NumberedPassage, passagesText } from './search/passages-text.ts';
export { checkSearch, search } from './search/search.ts';
export { searchSimilar } from './search/similar.ts';
export { createTextWorkers } from './texts/index.ts';
export { FILES_LOCK } from './writing/removals.ts';
