import type { NodeOf } from '@ai-studio/contract/agents/definition.ts';
import type { RunFile } from '@ai-studio/contract/agents/run.ts';
import type { Message } from '@ai-studio/contract/chat/request.ts';
import { StudioError } from '../../../kernel/errors.ts';
import type { NodeContext } from '../../runs/scope.ts';
import { type NamedText, readFiles } from '../documents.ts';
import { filesOf } from '../files-of.ts';
import type { NodeRunDeps } from '../node.ts';

// Files that a model node is given: pictures as such to models that take them, all else as the text that is read in it.

/** A picture as models take it. */
interface Picture {
  readonly name: string;
  /** data: URL. */
  readonly url: string;
}

/** What a model is given beside its prompt. */
export interface GivenFiles {
  readonly documents: readonly NamedText[];
  readonly pictures: readonly Picture[];
}

/** Pictures that models take; others are read for their text. */
const pictureTypes: ReadonlySet<string> = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp']);
/** Largest pictures of one call together, in bytes: in base64 they have room in a body with images. */
const MAX_PICTURE_BYTES = 10 * 1024 * 1024;

/** What a picture is by its first bytes; null where it is none of those that models take. */
function pictureType(bytes: Buffer): string | null {
  const head = bytes.toString('latin1', 0, 12);
  if (head.startsWith('\x89PNG')) return 'image/png';
  if (head.startsWith('\xff\xd8\xff')) return 'image/jpeg';
  if (head.startsWith('GIF8')) return 'image/gif';
  return head.startsWith('RIFF') && head.endsWith('WEBP') ? 'image/webp' : null;
}

/** A file as a picture; null where it is none. Errors: `too_large`, `not_found`. */
async function asPicture(
  { files: store }: NodeRunDeps,
  { execution: { actor } }: NodeContext<NodeOf<'model'>>,
  file: RunFile,
  room: number,
): Promise<(Picture & { readonly size: number }) | null> {
  // What is no picture by its name and its sender is not read twice.
  if (!pictureTypes.has(file.media_type) && !/\.(?:png|jpe?g|gif|webp)$/i.test(file.name)) return null;
  if (file.size > room)
    throw new StudioError(
      'too_large',
      `The pictures of the message have more than ${MAX_PICTURE_BYTES} bytes together; send fewer or smaller ones`,
    );
  const bytes = await store.read(actor.tenantId, file, room);
  if (bytes === null) throw new StudioError('not_found', `The file ${JSON.stringify(file.name)} is not there any more`);
  const type = pictureType(bytes);
  if (type === null) return null;
  return { name: file.name, url: `data:${type};base64,${bytes.toString('base64')}`, size: bytes.length };
}

/** The files that the node names, each once. Errors: of the readers; `too_large`, `not_found`. */
export async function givenFiles(deps: NodeRunDeps, context: NodeContext<NodeOf<'model'>>): Promise<GivenFiles> {
  const { node } = context;
  const all = new Map<string, RunFile>();
  for (const reference of node.files ?? [])
    for (const file of await filesOf(deps, context, reference)) all.set(file.id, file);
  const takesPictures = deps.models.catalogue.get(node.model)?.images === true;
  const pictures: Picture[] = [];
  const others: RunFile[] = [];
  let room = MAX_PICTURE_BYTES;
  for (const file of all.values()) {
    const picture = takesPictures ? await asPicture(deps, context, file, room) : null;
    if (picture === null) {
      others.push(file);
      continue;
    }
    const { size, ...shown } = picture;
    room -= size;
    pictures.push(shown);
  }
  return { documents: await readFiles(deps, context, others), pictures };
}

/** Messages whose last one brings pictures. */
export function withPictures(messages: readonly Message[], pictures: readonly Picture[]): Message[] {
  const last = messages.at(-1);
  if (pictures.length === 0 || last === undefined) return [...messages];
  const text = typeof last.content === 'string' ? last.content : '';
  const content = [
    { type: 'text' as const, text },
    ...pictures.map(({ url }) => ({ type: 'image_url' as const, image_url: { url } })),
  ];
  return [...messages.slice(0, -1), { role: 'user', content }];
}
