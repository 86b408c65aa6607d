import type {
  ContentBlock,
  DocumentBlock,
  PlainBlock,
  ToolResultBlock,
  ToolResultPart,
} from '@ai-studio/contract/messages/content.ts';
import type { MessageParam } from '@ai-studio/contract/messages/request.ts';
import { invalidRequest, quoteId, StudioError } from '../kernel/errors.ts';
import { dataUrlOf, decodeFile, fileTextAt } from '../responses/index.ts';

// Documents and passages as text: models are given what the readers of the service find in them.

/** A result whose documents are texts. */
export type PlainResult = Omit<ToolResultBlock, 'content'> & {
  readonly content?: string | readonly PlainBlock[] | null | undefined;
};
/** A document as a file, for agents that take files. */
export interface FileBlock {
  readonly type: 'file';
  readonly filename: string;
  /** A data: URL in base64. */
  readonly url: string;
}
/** A piece of a message that models can be given; thinking stands for all that they are not. */
export type PlainContent =
  | PlainBlock
  | FileBlock
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
  /** Documents of users stay files: an agent that takes files is asked. No, when left out. */
  readonly keepsFiles?: boolean;
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

interface OpenedDocument {
  readonly bytes: Buffer;
  readonly name: string;
  /** Where it stands in the request. */
  readonly at: string;
  /** Its media type, where the request says so. */
  readonly mediaType: string | null;
}

/** The bytes of a document; null for one that is text in the request. Rejects with StudioError. */
async function openDocument(
  { source, title }: DocumentBlock,
  path: string,
  reader: DocumentReader,
): Promise<OpenedDocument | null> {
  if (source.type === 'base64') {
    const at = `${path}.source.data`;
    return { bytes: decodeFile(source.data, at), name: title || 'document', at, mediaType: source.media_type };
  }
  if (source.type !== 'file') return null;
  const at = `${path}.source.file_id`;
  const { bytes, name } = await fileNamed(reader, source.file_id, at);
  return { bytes, name: title || name, at, mediaType: null };
}

async function readDocument(
  block: DocumentBlock,
  path: string,
  reader: DocumentReader,
): Promise<readonly PlainBlock[]> {
  const { source, title, context } = block;
  const opened = await openDocument(block, path, reader);
  if (opened !== null) {
    const { bytes, name, at } = opened;
    return [text(titled(name, context, await fileTextAt(reader.readText, bytes, name, at)))];
  }
  const name = title || 'document';
  switch (source.type) {
    case 'text':
      return [text(titled(name, context, source.data))];
    case 'content': {
      const { content } = source;
      if (typeof content === 'string') return [text(titled(name, context, content))];
      return [text(titled(name, context, '')), ...content];
    }
    default:
      throw invalidRequest(
        `${path}.source: documents are not fetched; give the document itself in base64`,
        `${path}.source`,
      );
  }
}

/** A document of a user, as a file where those are kept. */
async function documentParts(
  block: DocumentBlock,
  path: string,
  reader: DocumentReader,
): Promise<readonly PlainContent[]> {
  const opened = reader.keepsFiles === true ? await openDocument(block, path, reader) : null;
  if (opened === null) return readDocument(block, path, reader);
  const { mediaType, ...file } = opened;
  const url = dataUrlOf(file, mediaType && `data:${mediaType};base64,`);
  return [...(block.context ? [text(block.context)] : []), { type: 'file', filename: file.name, url }];
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
    case 'document':
      return documentParts(block, path, reader);
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

/** Messages whose documents are texts: each is read by the service's own readers, unless it stays a file. Rejects with StudioError. */
export async function withDocumentTexts(
  messages: readonly MessageParam[],
  given: DocumentReader,
): Promise<readonly PlainMessage[]> {
  const all: PlainMessage[] = [];
  for (const [at, { role, content }] of messages.entries()) {
    const reader = role === 'user' ? given : { ...given, keepsFiles: false };
    const path = `messages[${at}].content`;
    all.push({
      role,
      content: typeof content === 'string' ? content : await inTurn(content, path, reader, plainContent),
    });
  }
  return all;
}
