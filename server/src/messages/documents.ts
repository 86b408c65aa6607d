import type {
  ContentBlock,
  DocumentBlock,
  PlainBlock,
  ToolResultBlock,
  ToolResultPart,
} from '@ai-studio/contract/messages/content.ts';
import type { MessageParam } from '@ai-studio/contract/messages/request.ts';
import { invalidRequest, quoteId, StudioError } from '../kernel/errors.ts';
import { decodeFile, fileTextAt } from '../responses/index.ts';

// Documents and passages as text: models are given what the readers of the service find in them.

/** A result whose documents are texts. */
export type PlainResult = Omit<ToolResultBlock, 'content'> & {
  readonly content?: string | readonly PlainBlock[] | null | undefined;
};
/** A piece of a message that models can be given; thinking stands for all that they are not. */
export type PlainContent =
  | PlainBlock
  | PlainResult
  | Extract<ContentBlock, { type: 'tool_use' }>
  | { readonly type: 'thinking' };
export interface PlainMessage {
  readonly role: MessageParam['role'];
  readonly content: string | readonly PlainContent[];
}

/** What reads documents for a caller. Rejects with StudioError. */
export interface DocumentReader {
  /** A document as text. */
  readonly readText: (bytes: Buffer, name: string) => Promise<string>;
  /** An uploaded file of the caller's tenant, or `not_found`; null where files are not kept by id. */
  readonly findFile: ((id: string) => Promise<{ readonly bytes: Buffer; readonly name: string }>) | null;
}

const text = (of: string): PlainBlock => ({ type: 'text', text: of });

const titled = (title: string, context: string | null | undefined, of: string): string =>
  [`${title}:`, ...(context ? [context] : []), of].join('\n\n');

/** An uploaded file. Rejects with StudioError `invalid_request` where there is none of this id. */
async function fileNamed({ findFile }: DocumentReader, id: string, path: string) {
  if (!findFile) throw invalidRequest(`${path}: files by id are not kept here`, path);
  return findFile(id).catch((error: unknown) => {
    if (!(error instanceof StudioError) || error.code !== 'not_found') throw error;
    throw invalidRequest(`${path}: there is no file ${quoteId(id)}`, path);
  });
}

async function readDocument(
  { source, title, context }: DocumentBlock,
  path: string,
  reader: DocumentReader,
): Promise<readonly PlainBlock[]> {
  const name = title || 'document';
  switch (source.type) {
    case 'base64': {
      const at = `${path}.source.data`;
      const read = await fileTextAt(reader.readText, decodeFile(source.data, at), name, at);
      return [text(titled(name, context, read))];
    }
    case 'text':
      return [text(titled(name, context, source.data))];
    case 'content': {
      const { content } = source;
      if (typeof content === 'string') return [text(titled(name, context, content))];
      return [text(titled(name, context, '')), ...content];
    }
    case 'file': {
      const at = `${path}.source.file_id`;
      const found = await fileNamed(reader, source.file_id, at);
      const called = title || found.name;
      return [text(titled(called, context, await fileTextAt(reader.readText, found.bytes, called, at)))];
    }
    case 'url':
      throw invalidRequest(
        `${path}.source: documents are not fetched; give the document itself in base64`,
        `${path}.source`,
      );
  }
}

async function plainParts(part: ToolResultPart, path: string, reader: DocumentReader): Promise<readonly PlainBlock[]> {
  if (part.type === 'document') return readDocument(part, path, reader);
  if (part.type !== 'search_result') return [part];
  const passage = part.content.map((one) => one.text).join('\n\n');
  return [text(titled(`${part.title} (${part.source})`, null, passage))];
}

async function plainContent(
  block: ContentBlock,
  path: string,
  reader: DocumentReader,
): Promise<readonly PlainContent[]> {
  switch (block.type) {
    case 'thinking':
    case 'redacted_thinking':
      return [{ type: 'thinking' }];
    case 'tool_use':
      return [block];
    case 'tool_result': {
      const { content } = block;
      if (typeof content === 'string' || !content) return [{ ...block, content }];
      return [{ ...block, content: await inTurn(content, `${path}.content`, reader, plainParts) }];
    }
    default:
      return plainParts(block, path, reader);
  }
}

/** One after the other: a request takes no more readers than any other. */
async function inTurn<Block, Plain>(
  blocks: readonly Block[],
  path: string,
  reader: DocumentReader,
  read: (block: Block, path: string, reader: DocumentReader) => Promise<readonly Plain[]>,
): Promise<readonly Plain[]> {
  const all: Plain[] = [];
  for (const [at, block] of blocks.entries()) all.push(...(await read(block, `${path}[${at}]`, reader)));
  return all;
}

/** Messages whose documents are texts: each is read by the service's own readers. Rejects with StudioError. */
export async function withDocumentTexts(
  messages: readonly MessageParam[],
  reader: DocumentReader,
): Promise<readonly PlainMessage[]> {
  const all: PlainMessage[] = [];
  for (const [at, { role, content }] of messages.entries()) {
    const path = `messages[${at}].content`;
    all.push({
      role,
      content: typeof content === 'string' ? content : await inTurn(content, path, reader, plainContent),
    });
  }
  return all;
}
