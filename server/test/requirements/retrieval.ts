import type { Requirements } from './entry.ts';

/** What is asked of collections and searches. */
export const retrievalRequirements = {
  'retrieval.collections': {
    source: 'decisions 5',
    text: 'Collections are made, listed with size and from, read, changed and deleted, under both prefixes, with every field of their record.',
  },
  'retrieval.collections.name': {
    source: 'decisions 5',
    text: 'The name stands in collection_name or in name.',
  },
  'retrieval.bulk': {
    source: 'decisions 5',
    text: 'Many short documents come by lines of JSON, forms with several files and archives; each is answered by itself.',
  },
  'retrieval.extraction': {
    source: 'release goals: retrieval',
    text: 'Values that a schema asks for are found in all documents of a collection, in the background, once each whatever ends; as a table and as CSV.',
  },
  'retrieval.synonyms': {
    source: 'release goals: retrieval',
    text: 'Words that mean the same find each other: sets of the service, of the tenant and of the collection.',
  },
  'retrieval.collections.visibility': {
    source: 'decisions 5',
    text: 'private is for the owner alone, tenant for all of the tenant, who may read and search; is_owner says whose it is.',
  },
  'retrieval.collections.delete': {
    source: 'release goals: retrieval',
    text: 'A deleted collection is gone at once; its rows, files and index follow.',
  },
  'retrieval.upload': {
    source: 'decisions 5',
    text: 'Both paths of uploads answer with document_id, document_name, file_size, collection_id, uploaded_at, operation, state and ingest_config.',
  },
  'retrieval.upload.formats': {
    source: 'interface 4.5',
    text: 'Documents of the formats that are named are taken in and found.',
  },
  'retrieval.upload.errors': {
    source: 'decisions 1, Error forms',
    text: 'Unsupported kinds of files, empty and large ones and wrong fields are refused at once, with their codes.',
  },
  'retrieval.upload.external-id': {
    source: 'decisions 5',
    text: 'The same external_id replaces the older document once the new one is ready.',
  },
  'retrieval.upload.unreadable': {
    source: 'release goals: retrieval',
    text: 'A document that cannot be read has failed, with code and message.',
  },
  'retrieval.documents': {
    source: 'decisions 5',
    text: 'Documents are listed, read, changed and deleted in the short and the nested form, with the fields of their record.',
  },
  'retrieval.documents.file': {
    source: 'decisions 5',
    text: 'The original comes back byte by byte, under a safe Content-Disposition.',
  },
  'retrieval.documents.reindex': {
    source: 'decisions 5',
    text: 'A document is read and cut anew by the present settings, and found as it was until then.',
  },
  'retrieval.documents.patch': {
    source: 'interface 4.5, decisions 5',
    text: 'PATCH changes name and metadata; the next search filters by the new ones.',
  },
  'retrieval.documents.delete': {
    source: 'interface 4.5, decisions 5',
    text: 'DELETE removes the document, its chunks, its entries in the index and its file.',
  },
  'retrieval.chunks': {
    source: 'decisions 5',
    text: 'Chunks are listed, added, read, changed and deleted in the short and the nested forms.',
  },
  'retrieval.chunks.patch': {
    source: 'interface 4.5, decisions 5',
    text: 'PATCH embeds and indexes anew before it answers, and adds updated_at and operation update_chunk.',
  },
  'retrieval.chunks.delete': {
    source: 'interface 4.5, decisions 5',
    text: 'DELETE gives chunk_id, deleted_at and operation; the next search does not find it.',
  },
  'retrieval.search': {
    source: 'interface 4.3, decisions 5',
    text: 'A search gives query, search_type, hits with their fields, and total, with usage.',
  },
  'retrieval.search.modes': {
    source: 'decisions 5',
    text: 'vector, keyword and hybrid; the collection says which where the request does not.',
  },
  'retrieval.search.alpha': {
    source: 'decisions 5',
    text: 'alpha 0 gives the order of keywords, 1 that of vectors.',
  },
  'retrieval.search.rerank': {
    source: 'decisions 5',
    text: 'rerank true, or with model and top_n, orders the passages by a reranker.',
  },
  'retrieval.search.threshold': {
    source: 'decisions 5',
    text: 'Passages below score_threshold are left out.',
  },
  'retrieval.search.filters': {
    source: 'decisions 5',
    text: 'Filters choose by metadata and built-in fields; a field that is neither indexed nor built in is a 400 that names it.',
  },
  'retrieval.search.highlight': {
    source: 'decisions 5',
    text: 'highlight gives the places of the words of the query.',
  },
  'retrieval.search.several': {
    source: 'decisions 5',
    text: 'Several collections are searched as one.',
  },
  'retrieval.search.lexical': {
    source: 'release goals: retrieval',
    text: 'Without an embedding model the lexical embedder serves, labelled as such.',
  },
  'retrieval.search.errors': {
    source: 'decisions 1, Error forms',
    text: 'Wrong bodies of searches are 400 with the field named, never a 500.',
  },
  'retrieval.search.away': {
    source: 'decisions 1, Not available; decisions 5',
    text: 'An embedding model that is away, hangs or gives what cannot be used is a 503 with Retry-After; hybrid searches go by words alone and say so.',
  },
  'retrieval.fresh': {
    source: 'decisions 5',
    text: 'What was written is found by the next search, what was deleted is not; nothing is half visible.',
  },
  'retrieval.readers': {
    text: 'A document that its source lets some read is for those, for the owner of the collection and for administrators alone: searches, lists, documents, passages, files, agents and tools show nothing of it to others',
    source: 'docs/decisions/connectors.md',
  },
  'retrieval.isolation': {
    source: 'decisions 1, Tenant',
    text: 'Ids of another tenant are unknown in every path and body.',
  },
  'retrieval.scope': {
    source: 'decisions 1, Key',
    text: 'A key without the scope retrieval is refused.',
  },
  'retrieval.settings': {
    source: 'decisions 5',
    text: 'Settings are checked; another embedding model makes the collection anew with progress, and swaps at once.',
  },
  'retrieval.pii-mask': {
    source: 'decisions 5',
    text: 'pii_mask keeps personal values out of chunks.',
  },
  'retrieval.usage': {
    source: 'decisions 5',
    text: 'Searches and documents that are taken in are counted for the key.',
  },
  'retrieval.ingest.resume': {
    source: 'release goals: retrieval',
    text: 'Taking in goes on at the stage where it stopped.',
  },
  'retrieval.ingest.many': {
    source: 'release goals: retrieval',
    text: 'Many documents at once are taken in while the service answers.',
  },
  'retrieval.ingest.fair': {
    source: 'release goals: retrieval',
    text: 'Tenants take turns.',
  },
  'retrieval.ingest.waits': {
    source: 'release goals: retrieval',
    text: 'An embedding model that is away is waited for, which the record says; it goes on by itself.',
  },
  'retrieval.faults.kill': {
    source: 'release goals: retrieval',
    text: 'After kill -9 at any moment every acknowledged document is whole and found once.',
  },
  'retrieval.faults.disk_full': {
    source: 'release goals: retrieval',
    text: 'A full disk is told of as such; what was acknowledged is taken in once there is room, without help.',
  },
  'retrieval.evaluation.resumed': {
    source: 'release goals: retrieval',
    text: 'An evaluation goes on in another process, or at the next start, where it stood.',
  },
  'retrieval.ingest.figures': {
    source: 'release goals: retrieval',
    text: 'The figures for Prometheus tell how many documents wait, are at work, wait for something, and failed, and for how long.',
  },
  'retrieval.reindex.failed': {
    source: 'release goals: retrieval',
    text: 'A change of all documents that failed is tried again where it stands, or given up.',
  },
  'retrieval.faults.stop': {
    source: 'release goals: retrieval',
    text: 'A stop while documents are taken in ends, and all goes on at the next start.',
  },
  'retrieval.index.lost': {
    source: 'release goals: retrieval',
    text: 'An index that is lost is made anew from the database by itself, which the log says.',
  },
  'retrieval.command.reindex': {
    source: 'release goals: retrieval',
    text: 'studio reindex makes the index anew from the database.',
  },
  'retrieval.command.move': {
    source: 'decisions 5, search index',
    text: '`studio search move` fills the index of another place from the database, in OpenSearch or beside the files, while the service searches',
  },
  'retrieval.command.backup': {
    source: 'release goals: retrieval',
    text: 'studio backup copies rows and files while the service runs; studio restore brings them back.',
  },
} as const satisfies Requirements;
