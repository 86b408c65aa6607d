import { StudioError } from '../../kernel/errors.ts';
import { searchWeights, weightsCatalogue } from '../catalogue.ts';
import { isSafeName, partNames } from '../names.ts';

/** One file to download. */
export interface Source {
  readonly url: string;
  /** Name of the file in the folder. */
  readonly name: string;
  /** What its SHA-256 must be; null: as the hub says. */
  readonly sha256: string | null;
}

const bad = (message: string) => new StudioError('invalid_request', message);

function fileName(name: string): string {
  if (!isSafeName(name)) throw bad(`${JSON.stringify(name.slice(0, 100))} is no name of a .gguf file`);
  return name;
}

const encoded = (path: string) => path.split('/').map(encodeURIComponent).join('/');

function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    throw bad(`${JSON.stringify(name.slice(0, 100))} is no name of a .gguf file`);
  }
}

function fromUrl(text: string): { base: string; name: string; query: string } {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:')) throw bad(`${text.slice(0, 200)} is no address`);
  // The hub's page of a file and the file itself differ in one word.
  const path = url.pathname.replace('/blob/', '/resolve/');
  const at = path.lastIndexOf('/') + 1;
  return {
    base: url.origin + path.slice(0, at),
    name: fileName(decoded(path.slice(at))),
    query: url.search,
  };
}

function fromHub(what: string, mirror: string): { base: string; name: string } {
  const parts = what.split('/');
  if (parts.length < 3 || parts.some((part) => part === '' || part === '..' || part === '.'))
    throw bad(`${JSON.stringify(what.slice(0, 100))} is no OWNER/REPOSITORY/FILE.gguf`);
  const [owner = '', repository = '', ...path] = parts;
  const name = fileName(path.at(-1) ?? '');
  const folder = path.slice(0, -1).map((part) => `${encodeURIComponent(part)}/`);
  return { base: `${mirror}/${encoded(`${owner}/${repository}`)}/resolve/main/${folder.join('')}`, name };
}

/** The files of a model that stands in several: the first names how many. */
function allParts(name: string): readonly string[] {
  const all = partNames(name);
  if (!all || all[0] !== name)
    throw bad(`${name} is not the first file of a model in several: name the one with 00001-of-`);
  return all;
}

/**
 * What to download for a name of the catalogue, a file on the hub (`OWNER/REPOSITORY/FILE.gguf`) or an address. Throws
 * StudioError `not_found`, `invalid_request`.
 */
export function sourcesOf(what: string, mirror: string): readonly Source[] {
  const hub = mirror.replace(/\/+$/, '');
  const known = weightsCatalogue.find(({ id }) => id === what.toLowerCase());
  if (known) {
    const { repository, revision, file, sha256 } = known;
    return [
      { url: `${hub}/${encoded(repository)}/resolve/${revision}/${encodeURIComponent(file)}`, name: file, sha256 },
    ];
  }
  if (/^[a-z]+:\/\//i.test(what)) {
    const { base, name, query } = fromUrl(what);
    return allParts(name).map((part) => ({ url: base + encodeURIComponent(part) + query, name: part, sha256: null }));
  }
  if (what.includes('/')) {
    const { base, name } = fromHub(what, hub);
    return allParts(name).map((part) => ({ url: base + encodeURIComponent(part), name: part, sha256: null }));
  }
  const near = searchWeights(what).map(({ id }) => id);
  const hint = near.length > 0 ? `; near it: ${near.join(', ')}` : '; "studio models search" lists them';
  throw new StudioError('not_found', `There is no model ${JSON.stringify(what.slice(0, 100))} to download${hint}`);
}
