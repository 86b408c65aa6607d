import type {
  ContentBlock,
  DocumentBlock,
  PlainBlock,
  ToolResultBlock,
  ToolResultPart,
} from '@ai-studio/contract/messages/content.ts';
import type { MessageParam } from '@ai-studio/contract/messages/request.ts';
import { invalidRequest } from '../kernel/errors.ts';
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

/** Reads a document as text. Rejects with StudioError. */
export type ReadText = (bytes: Buffer, name: string) => Promise<string>;

const text = (of: string): PlainBlock => ({ type: 'text', text: of });

const titled = (title: string, context: string | null | undefined, of: string): string =>
  [`${title}:`, ...(context ? [context] : []), of].join('\n\n');

async function readDocument(
  { source, title, context }: DocumentBlock,
  path: string,
  readText: ReadText,
): Promise<readonly PlainBlock[]> {
  const name = title || 'document';
  switch (source.type) {
    case 'base64': {
      const at = `${path}.source.data`;
      return [text(titled(name, context, await fileTextAt(readText, decodeFile(source.data, at), name, at)))];
    }
    case 'text':
      return [text(titled(name, context, source.data))];
    case 'content': {
      const { content } = source;
      if (typeof content === 'string') return [text(titled(name, context, content))];
      return [text(titled(name, context, '')), ...content];
    }
    case 'url':
    case 'file': {
      const why = source.type === 'url' ? 'documents are not fetched' : 'files by id are not kept here';
      throw invalidRequest(`${path}.source: ${why}; give the document itself in base64`, `${path}.source`);
    }
  }
}

async function plainParts(part: ToolResultPart, path: string, readText: ReadText): Promise<readonly PlainBlock[]> {
  if (part.type === 'document') return readDocument(part, path, readText);
  if (part.type !== 'search_result') return [part];
  const passage = part.content.map((one) => one.text).join('\n\n');
  return [text(titled(`${part.title} (${part.source})`, null, passage))];
}

async function plainContent(block: ContentBlock, path: string, readText: ReadText): Promise<readonly PlainContent[]> {
  switch (block.type) {
    case 'thinking':
    case 'redacted_thinking':
      return [{ type: 'thinking' }];
    case 'tool_use':
      return [block];
    case 'tool_result': {
      const { content } = block;
      if (typeof content === 'string' || !content) return [{ ...block, content }];
      return [{ ...block, content: await inTurn(content, `${path}.content`, readText, plainParts) }];
    }
    default:
      return plainParts(block, path, readText);
  }
}

/** One after the other: a request takes no more readers than any other. */
async function inTurn<Block, Plain>(
  blocks: readonly Block[],
  path: string,
  readText: ReadText,
  read: (block: Block, path: string, readText: ReadText) => Promise<readonly Plain[]>,
): Promise<readonly Plain[]> {
  const all: Plain[] = [];
  for (const [at, block] of blocks.entries()) all.push(...(await read(block, `${path}[${at}]`, readText)));
  return all;
}

/** Messages whose documents are texts: each is read by the service's own readers. Rejects with StudioError. */
export async function withDocumentTexts(
  messages: readonly MessageParam[],
  readText: ReadText,
): Promise<readonly PlainMessage[]> {
  const all: PlainMessage[] = [];
  for (const [at, { role, content }] of messages.entries()) {
    const path = `messages[${at}].content`;
    all.push({
      role,
      content: typeof content === 'string' ? content : await inTurn(content, path, readText, plainContent),
    });
  }
  return all;
}
