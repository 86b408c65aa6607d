import { StudioError } from '../../kernel/errors.ts';
import type { CatalogueWeights } from '../catalogue-entry.ts';
import { searchWeights, weightsCatalogue } from '../catalogue.ts';
import { isSafeName, partNames } from '../names.ts';

/** One file to download. */
export interface Source {
  readonly url: string;
  /** Name of the file in the folder. */
  readonly name: string;
  /** Expected SHA-256; null where that of the hub counts. */
  readonly sha256: string | null;
  /** Expected size in bytes; left out where nobody knows it. */
  readonly bytes?: number;
}

const invalidRequest = (message: string) => new StudioError('invalid_request', message);

function checkFileName(name: string): string {
  if (!isSafeName(name)) throw invalidRequest(`${JSON.stringify(name.slice(0, 100))} is no name of a .gguf file`);
  return name;
}

const encodePath = (path: string) => path.split('/').map(encodeURIComponent).join('/');

function decodeName(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    throw invalidRequest(`${JSON.stringify(name.slice(0, 100))} is no name of a .gguf file`);
  }
}

function fromUrl(text: string): { base: string; name: string; query: string } {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:'))
    throw invalidRequest(`${text.slice(0, 200)} is no address`);
  // The address of the hub's page of a file differs in one word from that of the file.
  const path = url.pathname.replace('/blob/', '/resolve/');
  const nameStart = path.lastIndexOf('/') + 1;
  return {
    base: url.origin + path.slice(0, nameStart),
    name: checkFileName(decodeName(path.slice(nameStart))),
    query: url.search,
  };
}

function fromHub(what: string, mirror: string): { base: string; name: string } {
  const parts = what.split('/');
  if (parts.length < 3 || parts.some((part) => part === '' || part === '..' || part === '.'))
    throw invalidRequest(`${JSON.stringify(what.slice(0, 100))} is no OWNER/REPOSITORY/FILE.gguf`);
  const [owner = '', repository = '', ...path] = parts;
  const name = checkFileName(path.at(-1) ?? '');
  const folder = path.slice(0, -1).map((part) => `${encodeURIComponent(part)}/`);
  return { base: `${mirror}/${encodePath(`${owner}/${repository}`)}/resolve/main/${folder.join('')}`, name };
}

/** All files of a model: the name of the first one tells their number. */
function allParts(name: string): readonly string[] {
  const all = partNames(name);
  if (!all || all[0] !== name)
    throw invalidRequest(`${name} is not the first file of a model in several: name the one with 00001-of-`);
  return all;
}

/** The model of the catalogue that a name means; null for anything else. */
export const findInCatalogue = (what: string): CatalogueWeights | null =>
  weightsCatalogue.find(({ id }) => id === what.toLowerCase()) ?? null;

/**
 * Finds the files to download for a name of the catalogue, a file on the hub (`OWNER/REPOSITORY/FILE.gguf`) or an address. Throws
 * StudioError `not_found`, `invalid_request`.
 */
export function findSources(what: string, mirror: string): readonly Source[] {
  const hub = mirror.replace(/\/+$/, '');
  const entry = findInCatalogue(what);
  if (entry) {
    const { repository, revision, file, sha256, bytes, unverified } = entry;
    const url = `${hub}/${encodePath(repository)}/resolve/${revision}/${encodeURIComponent(file)}`;
    return [{ url, name: file, sha256, ...(unverified.includes('size') ? {} : { bytes }) }];
  }
  if (/^[a-z]+:\/\//i.test(what)) {
    const { base, name, query } = fromUrl(what);
    return allParts(name).map((part) => ({ url: base + encodeURIComponent(part) + query, name: part, sha256: null }));
  }
  if (what.includes('/')) {
    const { base, name } = fromHub(what, hub);
    return allParts(name).map((part) => ({ url: base + encodeURIComponent(part), name: part, sha256: null }));
  }
  const similar = searchWeights(what).map(({ id }) => id);
  const hint = similar.length > 0 ? `; near it: ${similar.join(', ')}` : '; "studio models search" lists them';
  throw new StudioError('not_found', `There is no model ${JSON.stringify(what.slice(0, 100))} to download${hint}`);
}
