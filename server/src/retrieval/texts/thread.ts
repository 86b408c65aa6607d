import { readFileSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import {
  chunkDocument,
  type EncodingName,
  type Document,
  loadTokenizer,
  readShortText,
  splitPassage,
  standardLimits,
  type Tokenizer,
  ParseError,
  sniffFormat,
  parseDocument,
} from '@ai-studio/documents';
import { lowerThreadPriority } from '../../kernel/thread-priority.ts';
import { maskText } from '../../privacy/index.ts';
import { analyze } from '../analyzer/index.ts';
import { signatureOf } from '../duplicates/signature.ts';
import { embedLexically } from '../lexical-embedder/index.ts';
import { embeddedText } from './embedded-text.ts';
import type {
  Analysed,
  AnalyseTask,
  Counted,
  CountTask,
  CutChunk,
  ChunkCap,
  CutResult,
  CutSettings,
  ReadResult,
  ReadTask,
  ShowTask,
  SniffResult,
  SniffTask,
  SplitTask,
  ThreadTask,
} from './tasks.ts';

// A thread that works on texts, one task at a time.

/** By which tokens are counted. */
const encoding = workerData as EncodingName;

// Nobody waits for most of it: searches, and all else that answers requests, go first.
lowerThreadPriority();

const TITLE_CHARACTERS = 1_000;
/** Longest chunk. Source: decisions section 5. */
const CONTENT_CHARACTERS = 50_000;

/** Shortest text that is made of one that is too long. */
const MIN_TOKENS = 16;

/** Text that the database takes. */
const sanitizeText = (text: string) => text.replaceAll('\0', '').toWellFormed();

const masked = (text: string) => maskText(text, {}).text;

function cutDocument(document: Document, how: CutSettings, cap: ChunkCap | null, tokenizer: Tokenizer): CutResult {
  const {
    chunking_strategy: strategy,
    chunk_size: size,
    chunk_overlap: overlap,
    pii_mask: mask,
    duplicates = 'keep',
  } = how;
  const prepareText = (text: string) => (mask ? masked(sanitizeText(text)) : sanitizeText(text));
  const cutTo = (maxTokens: number | undefined): CutChunk[] =>
    chunkDocument(document.blocks, { strategy, size, overlap, maxTokens, tokenizer })
      .map(({ content, headings, startPage, endPage, tokens }) => ({
        title: prepareText(headings.at(-1) ?? document.meta.title ?? '').slice(0, TITLE_CHARACTERS),
        content: prepareText(content).slice(0, CONTENT_CHARACTERS),
        headings: headings.map(prepareText),
        startPage,
        endPage,
        tokens,
      }))
      .filter(({ content }) => content.trim() !== '');
  const resultOf = (chunks: readonly CutChunk[]): CutResult => ({
    format: document.format,
    chunks,
    signature: duplicates === 'keep' ? null : signatureOf(chunks.map(({ content }) => content).join('\n')),
  });
  if (cap === null) return resultOf(cutTo(undefined));
  const { maxTokens, pathLength } = cap;
  const chunks = cutTo(maxTokens);
  // Titles are embedded with the text: where there is no room for both, the text makes some.
  const titles = chunks.map((chunk) => tokenizer.count(embeddedText(chunk, pathLength)) - chunk.tokens);
  const fits = chunks.every(({ tokens }, at) => tokens + (titles[at] ?? 0) <= maxTokens);
  const room = maxTokens - Math.max(0, ...titles);
  return resultOf(fits ? chunks : cutTo(Math.max(MIN_TOKENS, room)));
}

async function cut({ json, how, cap = null }: Extract<ThreadTask, { type: 'cut' }>): Promise<CutResult> {
  return cutDocument(parseDocument(json), how, cap, await loadTokenizer(encoding));
}

/** Warnings that are kept of a document. */
const MAX_WARNINGS = 20;

async function read({ files, how, cap, limits }: ReadTask): Promise<ReadResult[]> {
  const tokenizer = await loadTokenizer(encoding);
  const results: ReadResult[] = [];
  for (const { name, bytes } of files)
    try {
      const document = await readShortText(bytes, name, limits);
      const warnings = document.warnings.slice(0, MAX_WARNINGS);
      const pages = Math.max(1, document.pages.length);
      results.push({ ...cutDocument(document, how, cap, tokenizer), pages, warnings, failed: null });
    } catch (error) {
      if (!(error instanceof ParseError)) throw error;
      results.push({ failed: { code: error.code, message: error.message } });
    }
  return results;
}

async function show({ file: { name, bytes } }: ShowTask): Promise<string | null> {
  try {
    return JSON.stringify(await readShortText(bytes, name, standardLimits));
  } catch (error) {
    if (error instanceof ParseError) return null;
    throw error;
  }
}

async function split({ passages }: SplitTask): Promise<Counted[][]> {
  const tokenizer = await loadTokenizer(encoding);
  return passages.map(({ content, maxTokens }) =>
    splitPassage(content, Math.max(MIN_TOKENS, maxTokens), tokenizer).map((text) => ({
      text,
      tokens: tokenizer.count(text),
    })),
  );
}

function analyse({ texts, vectors }: AnalyseTask): Analysed[] {
  return texts.map((text) => ({ ...analyze(text), vector: vectors ? embedLexically(text) : null }));
}

function sniff({ path, name }: SniffTask): SniffResult {
  try {
    return { format: sniffFormat(readFileSync(path), name), refused: null };
  } catch (error) {
    if (!(error instanceof ParseError)) throw error;
    return { format: null, refused: { code: error.code, message: error.message } };
  }
}

async function count({ texts, mask }: CountTask): Promise<Counted[]> {
  const tokenizer = await loadTokenizer(encoding);
  return texts.map((given) => {
    const text = mask ? masked(given) : given;
    return { text, tokens: tokenizer.count(text) };
  });
}

async function work(task: ThreadTask): Promise<unknown> {
  switch (task.type) {
    case 'cut':
      return cut(task);
    case 'read':
      return read(task);
    case 'show':
      return show(task);
    case 'split':
      return split(task);
    case 'analyse':
      return analyse(task);
    case 'sniff':
      return sniff(task);
    case 'count':
      return count(task);
  }
}

const answer = (what: object) => parentPort?.postMessage(what, []);

parentPort?.on('message', (task: ThreadTask) => {
  work(task).then(
    (result) => answer({ result }),
    (error: unknown) => answer({ failed: error instanceof Error ? error.message : String(error) }),
  );
});
