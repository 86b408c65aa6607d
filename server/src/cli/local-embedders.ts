import { EmbedderSettings } from '@ai-studio/contract/console/models.ts';
import { explain } from '@ai-studio/contract/explain.ts';
import { type EmbeddingProfile, toEmbeddingProfile } from '../models/profile.ts';
import type { Database } from '../ports/database.ts';
import { collectionsEmbeddedBy } from '../retrieval/index.ts';
import type { ModelStore } from '../weights/index.ts';
import { type CommandLine, extractFlags, UsageError } from './args.ts';
import type { Command } from './command.ts';
import { openStoreReadOnly, withStore } from './local-models.ts';
import type { Output } from './output.ts';

type Context = Parameters<Command>[0];
type Words = readonly string[];

const flags = ['pooling', 'max-tokens', 'query-prefix', 'passage-prefix', 'normalize', 'reset'] as const;
const USAGE =
  '[--pooling mean|cls|last] [--max-tokens N] [--query-prefix TEXT] [--passage-prefix TEXT] [--normalize yes|no] [--reset]';

/** Takes back one setting: it is as the file and its name say. */
const AUTO = 'auto';

const isPath = (word: string) => /[\\/]|\.gguf$/i.test(word);

type Value = string | true;

function booleanOf(value: Value): boolean | null {
  if (value === AUTO) return null;
  if (value === true || value === 'yes' || value === 'true') return true;
  if (value === 'no' || value === 'false') return false;
  throw new UsageError('Use --normalize yes, --normalize no, or --normalize auto.');
}

const textOf = (name: string, value: Value): string => {
  if (value === true) throw new UsageError(`--${name} needs a text; --${name}= is an empty one.`);
  return value;
};

/** The settings that flags ask for. `change` makes new ones of those before; null where no flag says anything. */
function readSettings(line: CommandLine) {
  const { own, rest } = extractFlags(line, flags);
  const { pooling, 'max-tokens': tokens, 'query-prefix': query, 'passage-prefix': passage, normalize } = own;
  const given = {
    ...(pooling === undefined ? {} : { pooling: pooling === AUTO ? null : pooling }),
    ...(tokens === undefined ? {} : { max_tokens: tokens === AUTO ? null : Number(tokens) }),
    ...(query === undefined ? {} : { query_prefix: textOf('query-prefix', query) }),
    ...(passage === undefined ? {} : { passage_prefix: textOf('passage-prefix', passage) }),
    ...(normalize === undefined ? {} : { normalize: booleanOf(normalize) }),
  };
  const none = { pooling: null, max_tokens: null, query_prefix: null, passage_prefix: null, normalize: null };
  const change = (before: EmbeddingProfile): EmbeddingProfile => {
    const form = { ...none, ...(own.reset === undefined ? before : {}), ...given };
    const parsed = EmbedderSettings.safeParse(form);
    if (parsed.success) return toEmbeddingProfile(parsed.data);
    const { message } = explain(parsed.error, form);
    throw new UsageError(`${message}. Use ${USAGE}.`);
  };
  // A value that is wrong is told before anything is done.
  change({});
  return { rest, change: Object.keys(own).length === 0 ? null : change };
}

/** Prints what came of a model that is to be read in another way, and what was made with it before. */
async function report(store: ModelStore, db: Database, out: Output, localId: string): Promise<number> {
  const names = (await store.bindings()).filter((one) => one.localId === localId).map(({ catalogueId }) => catalogueId);
  const needed = (await Promise.all([localId, ...names].map((id) => collectionsEmbeddedBy(db, id)))).flat();
  if (needed.length > 0)
    out.note(
      `! The vectors of ${needed.length === 1 ? 'a collection' : `${needed.length} collections`} were made by it as it was read before; reindex: ${needed.map(({ name }) => name).join(', ')}`,
    );
  const tried = await store.tryEmbedder(localId);
  if (tried === null) {
    out.print(`${localId} is read so from the next start of the service on.`);
    return 0;
  }
  if (tried.trial === null) {
    out.print(`${localId} gives no vectors that can be used: ${tried.problem ?? 'no reason is known'}`);
    return 1;
  }
  const { dimension, norm, maxTokens, prefixSensitive } = tried.trial;
  const tokens = maxTokens === null ? '' : `, reads ${maxTokens} tokens`;
  out.print(
    `${localId} is read so now: vectors of ${dimension} numbers with the norm ${norm.toFixed(2)}${tokens}; prefixes ${prefixSensitive ? 'change' : 'do not change'} what it finds.`,
  );
  return 0;
}

/**
 * `studio models use ID FILE`: FILE is a local id, a file of the folder, or the path of one, which is taken in first. With the flags of
 * `studio models set` it also says how an embedding model is read.
 */
export async function useModel({ line, load, out }: Context, [id, wanted, ...more]: Words): Promise<number> {
  if (id === undefined || wanted === undefined || more.length > 0)
    throw new UsageError(`Use "studio models use ID LOCAL_ID_OR_FILE ${USAGE}".`);
  const { rest, change } = readSettings(line);
  const loaded = load(rest);
  const localStore = openStoreReadOnly(loaded);
  const plain = wanted.normalize('NFC').toLowerCase();
  const files = await localStore.scan();
  const file = files.find(({ id: own, files: names }) => own === wanted || own === plain || names.includes(wanted));
  if (!file && !isPath(wanted)) {
    const here = files.filter(({ state }) => state === 'ready').map((one) => one.id);
    throw new UsageError(`There is no local model "${wanted}"; there are: ${here.join(', ') || 'none'}.`);
  }
  const localId = file?.id ?? (await localStore.import(wanted)).id;
  return withStore(loaded, out, async (store, db) => {
    // Settings that the model can't have are told before anything is done.
    if (change !== null) await store.configure(localId, change(await settingsOf(store, localId)));
    await store.use({ catalogueId: id, localId });
    out.print(`${id} is served by ${localId}.`);
    return change === null ? 0 : report(store, db, out, localId);
  });
}

const settingsOf = async (store: ModelStore, id: string): Promise<EmbeddingProfile> =>
  (await store.embedders()).find(({ localId }) => localId === id)?.settings ?? {};

/** `studio models set NAME …`: how an embedding model of this machine is read, by its local id, its file, or a name that it serves. */
export async function setModel({ line, load, out }: Context, [name, ...more]: Words): Promise<number> {
  const { rest, change } = readSettings(line);
  if (name === undefined || more.length > 0 || change === null)
    throw new UsageError(`Use "studio models set NAME ${USAGE}"; ${AUTO} in place of a value takes one back.`);
  return withStore(load(rest), out, async (store, db) => {
    const bound = (await store.bindings()).find(({ catalogueId }) => catalogueId === name)?.localId;
    const localId = bound ?? (await store.localIdOf(name));
    if (localId === null) throw new UsageError(`There is no local model "${name}"; "studio models list" shows them.`);
    await store.configure(localId, change(await settingsOf(store, localId)));
    return report(store, db, out, localId);
  });
}
