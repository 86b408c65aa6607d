export {
  chunkDocument,
  type EncodingName,
  loadDecoder,
  loadTokenizer,
  partsOf,
  splitPassage,
  type Tokenizer,
} from './chunk/index.ts';
export { type Block, type Document, type ListItem, type Span, type Table, type TableCell, textOf } from './document.ts';
export {
  coerce,
  type ExtractedValues,
  type FoundValue,
  labelKey,
  type QuotePlace,
  type Value,
  type Wanted as WantedValues,
  type WantedRows,
  type WantedValue,
} from './extract/index.ts';
export type { Failures } from './failures.ts';
export {
  type PackedDocument,
  packDocument,
  inflateDocument,
  parseDocument,
  transferable,
  unpackDocument,
} from './pack.ts';
export { type ArchiveEntry, type ArchiveLimits, unpackArchive } from './package/archive.ts';
export { ParseError, type ParseErrorCode } from './parse-error.ts';
export { type ParseLimits, type ReadOptions, ocrOff, standardLimits } from './reader.ts';
export { type DoclingFormat, doclingFormats } from './render/docling.ts';
export type { WantedForm } from './render/forms.ts';
export { renderMarkdown } from './render/markdown.ts';
export { PARSER_MODEL } from './render/parsed.ts';
export {
  type DocumentMaker,
  type DocumentRenderer,
  type DocumentViewer,
  type Renderer,
  createRenderer,
} from './render/renderer.ts';
export { blockText } from './render/text.ts';
export type { SeenPages } from './readers/seen.ts';
export type { DrawnPage, ParseJob } from './sandbox/messages.ts';
export { type DocumentParser, type PageDrawer, type ParsePool, createParsePool } from './sandbox/pool.ts';
export type { WorkerRun } from './sandbox/worker.ts';
export { readShortText } from './readers/short.ts';
export { sniffFormat } from './sniff.ts';
export { type ThreadMessage, createThreadPool } from './thread-pool.ts';
export type { ViewRequest } from './view/view.ts';
export type { MadeDocument, MakeJob } from './write/make.ts';
export { type WrittenFormat, writtenFormats } from './write/options.ts';
export { type WorkLimits, unlimitedWork } from './work.ts';
