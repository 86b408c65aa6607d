import { constants } from 'node:fs';
import { copyFile, mkdir, readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { StudioError } from '../kernel/errors.ts';

/** A model file of the folder; of a split model the first part. */
export interface FolderModel {
  readonly id: string;
  readonly path: string;
}

const ENDING = /\.gguf$/i;
const PART = /^(.*-)(\d{5})(-of-\d{5}\.gguf)$/i;

/** Id of a file: its name in lower case, without the ending and without what ids do not have. */
const modelId = (fileName: string): string =>
  fileName
    .toLowerCase()
    .replace(ENDING, '')
    .replace(/[^a-z0-9._-]+/g, '-');

/** All parts of a split model, by the path of its first; of any other model the file itself. */
async function partsOf(path: string): Promise<readonly string[]> {
  const [, start, , end] = PART.exec(basename(path)) ?? [];
  if (start === undefined || end === undefined) return [path];
  const names = await readdir(dirname(path));
  return names
    .filter((name) => PART.test(name) && name.startsWith(start) && name.endsWith(end))
    .toSorted()
    .map((name) => join(dirname(path), name));
}

/** The models in a folder by their ids; none where there is no folder. Of two files with one id the first counts. */
export async function listModelFolder(folder: string): Promise<readonly FolderModel[]> {
  const names = await readdir(folder).catch((): string[] => []);
  const models = new Map<string, FolderModel>();
  for (const name of names.toSorted()) {
    const part = PART.exec(name)?.[2];
    if (!ENDING.test(name) || (part !== undefined && part !== '00001')) continue;
    const id = modelId(name);
    if (!models.has(id)) models.set(id, { id, path: join(folder, name) });
  }
  return [...models.values()];
}

/**
 * Copies a model into the folder, where it appears whole or not at all. Resolves with its id; a file of the folder is left as it
 * is. Throws StudioError `not_found`, `invalid_request`.
 */
export async function importModel(folder: string, path: string): Promise<string> {
  const source = resolve(path);
  if (!ENDING.test(source)) throw new StudioError('invalid_request', `${path} is no file with the ending .gguf`);
  if (dirname(source) === resolve(folder)) return modelId(basename(source));
  await mkdir(folder, { recursive: true });
  const parts = await partsOf(source).catch(() => [source]);
  const copies = parts.map((part) => ({
    part,
    to: join(folder, basename(part)),
    half: join(folder, `${basename(part)}.part`),
  }));
  try {
    // On file systems that can, the copy shares the blocks of the original.
    for (const { part, half } of copies) await copyFile(part, half, constants.COPYFILE_FICLONE);
  } catch (cause) {
    for (const { half } of copies) await rm(half, { force: true });
    throw new StudioError('not_found', `${path} could not be copied: ${(cause as Error).message}`, { cause });
  }
  for (const { half, to } of copies) await rename(half, to);
  return modelId(basename(parts[0] ?? source));
}

/** Removes a model's files. Throws StudioError `not_found`. */
export async function removeModel(folder: string, id: string): Promise<void> {
  const found = (await listModelFolder(folder)).find((model) => model.id === id);
  if (!found) throw new StudioError('not_found', `There is no model ${id} in ${folder}`);
  for (const part of await partsOf(found.path)) {
    await rm(part);
    await rm(join(folder, '.downloads', `${basename(part)}.sha256`), { force: true });
  }
}
