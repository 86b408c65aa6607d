import type { ContentBlock, ReadResourceResult, Resource } from '@modelcontextprotocol/server';
import type { RunFile } from '@ai-studio/contract/agents/run.ts';
import { MAX_FILES_BYTES, type RunFileStore } from '../agents/index.ts';
import type { McpCaller } from './caller.ts';

// Files of answers of agents: within the result where they are small, else as links to resources. Source: MCP 2026-07-28, Tools, "Tool Result".

const SCHEME = 'studio://files/';
const FILE_ID = /^[0-9a-f]{32}$/;
/** Largest file that stands within a result, and all of them together, in bytes. */
const MAX_EMBEDDED_BYTES = 1024 * 1024;
const MAX_ALL_EMBEDDED_BYTES = 4 * 1024 * 1024;

/** Pictures that models are shown. */
const PICTURE = /^image\/(?:png|jpeg|gif|webp)$/;
const SOUND = /^audio\//;
const TEXT = /^(?:text\/|application\/(?:json|xml|yaml)$|image\/svg\+xml$)/;

export const fileUri = ({ id }: Pick<RunFile, 'id'>): string => SCHEME + id;

const plainType = (mediaType: string) => (mediaType.split(';')[0] ?? '').trim().toLowerCase();

function contentsOf(uri: string, mimeType: string, bytes: Buffer): ReadResourceResult['contents'][number] {
  if (!TEXT.test(plainType(mimeType))) return { uri, mimeType, blob: bytes.toString('base64') };
  return { uri, mimeType, text: bytes.toString('utf8') };
}

function embedded(file: RunFile, bytes: Buffer): ContentBlock {
  const mimeType = file.media_type;
  const type = plainType(mimeType);
  if (PICTURE.test(type)) return { type: 'image', data: bytes.toString('base64'), mimeType };
  if (SOUND.test(type)) return { type: 'audio', data: bytes.toString('base64'), mimeType };
  return { type: 'resource', resource: contentsOf(fileUri(file), mimeType, bytes) };
}

const linkTo = (file: RunFile): ContentBlock => ({
  type: 'resource_link',
  uri: fileUri(file),
  name: file.name,
  mimeType: file.media_type,
  size: file.size,
});

/** Files of an answer as blocks of a result, in their order; without those that are not kept any more. */
export async function fileBlocks(
  files: Pick<RunFileStore, 'read'>,
  { ctx: { actor } }: McpCaller,
  all: readonly RunFile[],
): Promise<readonly ContentBlock[]> {
  const blocks: ContentBlock[] = [];
  let left = MAX_ALL_EMBEDDED_BYTES;
  // One after the other: they may be large.
  for (const file of all) {
    if (file.size > Math.min(MAX_EMBEDDED_BYTES, left)) {
      blocks.push(linkTo(file));
      continue;
    }
    const bytes = await files.read(actor.tenantId, file, MAX_FILES_BYTES);
    if (bytes === null) continue;
    left -= bytes.length;
    blocks.push(embedded(file, bytes));
  }
  return blocks;
}

/** How addresses of files are made. */
export const fileTemplate = {
  uriTemplate: `${SCHEME}{id}`,
  name: 'file',
  title: 'A file of an answer',
  description: 'A file that an agent answered with, as the result of its tool names it',
} satisfies Omit<Resource, 'uri'> & { readonly uriTemplate: string };

/** The content of a file of the caller’s own runs; null where there is none of this address. */
export async function readFileResource(
  files: Pick<RunFileStore, 'read' | 'findOwn'>,
  { ctx: { actor } }: McpCaller,
  uri: string,
): Promise<ReadResourceResult | null> {
  const id = uri.startsWith(SCHEME) ? uri.slice(SCHEME.length) : '';
  const file = FILE_ID.test(id) ? await files.findOwn(actor, id) : null;
  const bytes = file === null ? null : await files.read(actor.tenantId, file, MAX_FILES_BYTES);
  if (file === null || bytes === null) return null;
  return { contents: [contentsOf(uri, file.media_type, bytes)] };
}
