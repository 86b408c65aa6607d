import type { InputItem, InputPart } from '@ai-studio/contract/responses/items.ts';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { typeByName } from '../agents/index.ts';
import type { CallContext, Principal } from '../kernel/actor.ts';
import { isBase64Text } from '../kernel/base64.ts';
import type { TenantId } from '../kernel/context.ts';
import { invalidRequest, quoteId, StudioError } from '../kernel/errors.ts';

/** Reads a document as text, for somebody. Rejects with StudioError. */
export type ReadFile = (
  who: Principal,
  bytes: Buffer,
  name: string,
  call: { readonly requestId: string; readonly signal: AbortSignal },
) => Promise<string>;
/** An uploaded file of the caller's tenant. Rejects with StudioError `not_found`. */
export type FindFile = (
  ctx: CallContext<Principal>,
  id: string,
) => Promise<{ readonly bytes: Buffer; readonly name: string }>;

/** A kept file that was opened. */
interface OpenedFile {
  readonly name: string;
  readonly size: number;
  readonly content: Readable;
}

/** Finds files of which each has so many bytes at most, as it is read into memory. Rejects with StudioError `not_found`, `too_large`. */
export const createFindFile =
  (open: (tenantId: TenantId, id: string) => Promise<OpenedFile>, maxBytes: number): FindFile =>
  async ({ actor }, id) => {
    const { name, size, content } = await open(actor.tenantId, id);
    if (size <= maxBytes) return { name, bytes: await buffer(content) };
    content.destroy();
    throw new StudioError(
      'too_large',
      `The file ${quoteId(id)} has ${size} bytes; documents of requests have at most ${maxBytes}`,
    );
  };

export interface FileDeps {
  readonly readFile: ReadFile;
  /** Null where files are not kept by id. */
  readonly findFile: FindFile | null;
}

/** The same, which have the request counted against the limits of its key before they look at a file. `count` may be called again. */
export const countedFirst = ({ readFile, findFile }: FileDeps, count: () => Promise<void>): FileDeps => ({
  async readFile(...file) {
    await count();
    return readFile(...file);
  },
  findFile:
    findFile &&
    (async (...file) => {
      await count();
      return findFile(...file);
    }),
});

type FilePart = InputPart & { readonly type: 'input_file' };

const DATA_URL = /^data:([^;,]*)(?:;[^;,]+)*;base64,/;

/** The bytes of a file in base64, with the head of a data: URL or without. Throws StudioError `invalid_request`, which names its place. */
export function decodeFile(data: string, path: string): Buffer {
  const text = data.replace(DATA_URL, '');
  if (!isBase64Text(text, { alphabet: 'plain', spaced: true })) throw invalidRequest(`${path} is not base64`, path);
  return Buffer.from(text, 'base64');
}

/** A file as a data: URL. Its media type is that of `data`, which may be a data: URL itself, else that of its name. */
export function dataUrlOf(
  { bytes, name }: { readonly bytes: Buffer; readonly name: string },
  data?: string | null,
): string {
  const [, type = ''] = DATA_URL.exec(data ?? '') ?? [];
  return `data:${type || typeByName(name)};base64,${bytes.toString('base64')}`;
}

type ReadText = (bytes: Buffer, name: string) => Promise<string>;

/** Characters of text that the documents of one request may have together: more than any model reads. */
const MAX_TEXTS = 32 * 1024 * 1024;

/** Reads documents of one request. Rejects with StudioError `too_large` for the one that is too much. */
export function withinTexts(readText: ReadText, max = MAX_TEXTS): ReadText {
  let left = max;
  return async (bytes, name) => {
    const text = await readText(bytes, name);
    left -= text.length;
    if (left >= 0) return text;
    throw new StudioError(
      'too_large',
      `With it the documents of the request have more than ${max} characters of text`,
      { param: 'file' },
    );
  };
}

interface GivenFile {
  readonly bytes: Buffer;
  readonly name: string;
}

/** A file that a part holds or names. Rejects with StudioError. */
async function fileOf(
  { findFile }: Pick<FileDeps, 'findFile'>,
  ctx: CallContext<Principal>,
  part: FilePart,
  path: string,
): Promise<GivenFile> {
  const { file_data: data, file_id: id, file_url: url } = part;
  if (data) return { bytes: decodeFile(data, `${path}.file_data`), name: part.filename ?? 'file' };
  if (id && findFile) {
    const found = await findFile(ctx, id).catch((error: unknown) => {
      if (!(error instanceof StudioError) || error.code !== 'not_found') throw error;
      throw invalidRequest(`${path}.file_id: there is no file ${quoteId(id)}`, `${path}.file_id`);
    });
    return { bytes: found.bytes, name: part.filename ?? found.name };
  }
  const given = id ? 'file_id' : url ? 'file_url' : 'file_data';
  throw invalidRequest(`${path}: give the file itself as file_data, in base64`, `${path}.${given}`);
}

/** A refusal of a reader, at the place of its document in the request. */
function atPart(error: unknown, path: string): unknown {
  if (!(error instanceof StudioError) || error.param !== 'file') return error;
  return new StudioError(error.code, `${path}: ${error.message}`, { param: path, cause: error });
}

/** The text of a document at a place of a request, which a refusal names. Rejects with StudioError. */
export const fileTextAt = (readText: ReadText, bytes: Buffer, name: string, path: string): Promise<string> =>
  readText(bytes, name).catch((error: unknown) => {
    throw atPart(error, path);
  });

type Message = InputItem & { readonly type: 'message' };

const holdsFile = (item: InputItem): item is Message =>
  item.type === 'message' && typeof item.content !== 'string' && item.content.some(({ type }) => type === 'input_file');

/** Whether a user gives files in any of these items. */
export const holdsFilesOfUser = (items: readonly InputItem[]): boolean =>
  items.some((item) => holdsFile(item) && item.role === 'user');

/** Items with other pieces in place of files. One after the other: a request takes no more readers than any other. */
async function withOtherFiles(
  items: readonly InputItem[],
  other: (part: FilePart, item: Message, path: string) => Promise<InputPart>,
): Promise<readonly InputItem[]> {
  const all: InputItem[] = [];
  for (const [at, item] of items.entries()) {
    if (!holdsFile(item) || typeof item.content === 'string') {
      all.push(item);
      continue;
    }
    const content: InputPart[] = [];
    for (const [place, part] of item.content.entries())
      content.push(part.type === 'input_file' ? await other(part, item, `input[${at}].content[${place}]`) : part);
    all.push({ ...item, content });
  }
  return all;
}

/**
 * Items whose documents are texts: each is read by the service's own readers. Those of users stay files where `keepsThoseOfUsers`, for an
 * agent that takes files. Rejects with StudioError.
 */
export function withFileTexts(
  deps: FileDeps,
  ctx: CallContext<Principal>,
  items: readonly InputItem[],
  keepsThoseOfUsers = false,
): Promise<readonly InputItem[]> {
  const readText = withinTexts((given, called) => deps.readFile(ctx.actor, given, called, ctx));
  return withOtherFiles(items, async (part, { role }, path) => {
    if (keepsThoseOfUsers && role === 'user') return part;
    const { bytes, name } = await fileOf(deps, ctx, part, path);
    const text = await fileTextAt(readText, bytes, name, `${path}.${part.file_data ? 'file_data' : 'file_id'}`);
    return { type: 'input_text', text: `${name}:\n\n${text}` };
  });
}

/** Items whose files stand in them as data: URLs, also those that were named by id. Rejects with StudioError. */
export const withFileData = (
  deps: Pick<FileDeps, 'findFile'>,
  ctx: CallContext<Principal>,
  items: readonly InputItem[],
): Promise<readonly InputItem[]> =>
  withOtherFiles(items, async (part, _item, path) => {
    const file = await fileOf(deps, ctx, part, path);
    return { type: 'input_file', filename: file.name, file_data: dataUrlOf(file, part.file_data) };
  });
