import type { Citation } from '@ai-studio/contract/agents/run.ts';
import type { NewTurn } from '@ai-studio/contract/console/conversations.ts';
import type { z } from 'zod';
import type { CallContext, PersonActor } from '../kernel/actor.ts';
import { StudioError } from '../kernel/errors.ts';
import type { SecretBox } from '../kernel/secret-box.ts';
import type { Catalogue } from '../models/catalogue.ts';
import type { Database } from '../ports/database.ts';
import { type ChatFilesDeps, describeFiles, type FileRow, findFiles, openPicture } from './files/files.ts';
import type { PicturePart } from './history.ts';
import { namedCollections } from './collections.ts';
import { findOwn, type MessageRow, readMessages } from './rows.ts';
import { retainMessages } from './retain.ts';
import { gatherSources } from './sources.ts';
import { openValueMask } from './value-mask.ts';

export interface MaterialDeps {
  readonly db: Database;
  readonly box: SecretBox;
  readonly catalogue: Catalogue;
  /** What reads files and searches. */
  readonly files: ChatFilesDeps;
}

/** What an answer is made from beside the words of the conversation. */
export interface Material {
  /** Ids of the models that answer: one, or several side by side. */
  readonly models: readonly string[];
  /** Files that the question brings. */
  readonly files: readonly FileRow[];
  /** Passages that the answer may cite. */
  readonly sources: readonly Citation[];
  /** Whether there is anything to look in, found or not. */
  readonly searches: boolean;
  /** Pictures by the id of their file, for models that take them. */
  readonly pictures: ReadonlyMap<string, PicturePart>;
}

/** Pictures of a conversation that a model is shown: the newest. */
const MAX_PICTURES = 6;

/** Ids of the models that answer: one, or several side by side. */
export const modelsOf = (
  { model, models }: Pick<z.output<typeof NewTurn>, 'model' | 'models'>,
  standard: string,
): readonly string[] => models ?? [model ?? standard];

const smallest = (lengths: readonly (number | null)[]) => {
  const known = lengths.filter((length) => length !== null);
  return known.length === 0 ? null : Math.min(...known);
};

/** The files that a question brings: those that are named, or those of the question of which it is another version. */
function namedFiles(all: readonly MessageRow[], { files, content, replace_from: from }: z.output<typeof NewTurn>) {
  if (files !== undefined) return files;
  if (content === undefined || from === undefined) return [];
  return all.find(({ id }) => id === from)?.files.map(({ id }) => id) ?? [];
}

/** Throws StudioError `not_found`, `conflict`, `unprocessable` where a file cannot go along. */
async function requireReadable(deps: ChatFilesDeps, owner: PersonActor, ids: readonly string[]): Promise<void> {
  const described = await describeFiles(deps, owner, ids);
  if (described.length < new Set(ids).size)
    throw new StudioError('not_found', 'A file is not there any more', { param: 'files', reason: 'chat_file_gone' });
  for (const { name, state } of described) {
    if (state === 'reading')
      throw new StudioError('conflict', `The file ${JSON.stringify(name)} is still being read`, {
        param: 'files',
        reason: 'chat_file_reading',
      });
    if (state === 'failed')
      throw new StudioError('unprocessable', `The file ${JSON.stringify(name)} cannot be read`, {
        param: 'files',
        reason: 'chat_file_unreadable',
      });
  }
}

async function loadPictures(deps: ChatFilesDeps, files: readonly FileRow[]): Promise<Map<string, PicturePart>> {
  const pictures = new Map<string, PicturePart>();
  for (const file of files.filter(({ kind }) => kind === 'picture').slice(-MAX_PICTURES)) {
    const { type, bytes } = await openPicture(deps, file);
    pictures.set(file.id, {
      type: 'image_url',
      image_url: { url: `data:${type};base64,${bytes.toString('base64')}` },
    });
  }
  return pictures;
}

/**
 * Reads and finds what the next answer is made from. Throws StudioError `not_found`, `conflict`, `unprocessable`, `invalid_request`, and
 * those of searches.
 */
export async function gatherMaterial(
  { db, box, catalogue, files: deps }: MaterialDeps,
  ctx: CallContext<PersonActor>,
  conversationId: string,
  input: z.output<typeof NewTurn>,
): Promise<Material> {
  const { actor } = ctx;
  const row = await findOwn(db.query, actor, conversationId);
  const all = await readMessages(db.query, row.id);
  const ids = namedFiles(all, input);
  await requireReadable(deps, actor, ids);
  const kept = retainMessages(all, row.leaf_id, input);
  const earlier = kept.flatMap(({ files }) => files.map(({ id }) => id));
  const known = await findFiles(deps, actor, [...new Set([...earlier, ...ids])]);
  const asking = modelsOf(input, row.model).map((id) => ({ id, model: catalogue.get(id) }));
  const own = known.filter(({ id }) => ids.includes(id));
  const blind = asking.find(({ model }) => model?.images !== true);
  if (blind !== undefined && own.some(({ kind }) => kind === 'picture'))
    throw new StudioError('unprocessable', `The model ${blind.id} takes no pictures`, {
      param: 'files',
      reason: 'model_sees_no_pictures',
    });
  const documents = known.filter(({ kind }) => kind === 'document');
  const collections = await namedCollections({ db }, actor, row.collections);
  const mask = openValueMask(box, row);
  const asked = kept.filter(({ role }) => role === 'user').map(({ content }) => mask.unmask(content));
  const searches = documents.length + collections.length > 0;
  const sources = searches
    ? await gatherSources(deps, ctx, {
        questions: [...asked, ...(input.content === undefined ? [] : [input.content])],
        files: documents,
        collections: collections.map(({ id }) => id),
        // What goes along fits into the smallest of them.
        contextLength: smallest(asking.map(({ model }) => model?.context_length ?? null)),
      })
    : [];
  const sees = asking.some(({ model }) => model?.images === true);
  const pictures = sees ? await loadPictures(deps, known) : new Map<string, PicturePart>();
  return { models: asking.map(({ id }) => id), files: own, sources, searches, pictures };
}
