import {
  createBus,
  migrateStore,
  modelFolder,
  openStoreDatabase,
  reportOnLocalModels,
  runningStore,
} from '../compose.ts';
import type { Config, LoadedConfig } from '../config/index.ts';
import type { LocalBinding } from '../models/local.ts';
import { bindModel, importModel, listBindings, removeModel, unbindModel } from '../weights/index.ts';
import { UsageError } from './args.ts';
import type { Output } from './output.ts';
import { commandLog, withDatabase } from './with-database.ts';

/** Work on the bindings of a running service, or of a database that is started for it. */
const withBindings = <T>(
  loaded: LoadedConfig,
  out: Output,
  work: (deps: Parameters<typeof bindModel>[0]) => Promise<T>,
): Promise<T> =>
  withDatabase(loaded, out, async (db, store) => {
    const { config } = loaded;
    await migrateStore(db, { copyRows: store.copyRows, config, onProgress: (message) => out.note(`▸ ${message}`) });
    const bus = createBus(db);
    try {
      return await work({ db, bus });
    } finally {
      await bus.close();
    }
  });

const GIB = 1024 ** 3;

/** The bindings of a running service; none where none runs, as nothing is started for a look. */
async function bindingsNow(config: Config): Promise<readonly LocalBinding[]> {
  const store = runningStore(config);
  if (!store) return [];
  const db = await openStoreDatabase(store.connection, commandLog(), 2);
  try {
    return await listBindings(db);
  } finally {
    await db.close();
  }
}

/** The model files of this machine and what they serve. */
export async function lookAtLocal(config: Config) {
  const [{ models }, bindings] = await Promise.all([reportOnLocalModels(config), bindingsNow(config).catch(() => [])]);
  const byId = new Map(models.map((model) => [model.model.id, model]));
  return {
    models: models.map(({ model }) => model),
    bindings,
    stateOf(id: string): string {
      const found = byId.get(id);
      if (!found) return `there is no file of the local model "${id}"`;
      if (found.problem !== null) return found.problem;
      return `on this machine; ${((found.needsBytes ?? 0) / GIB).toFixed(1)} GiB when it is loaded`;
    },
  };
}

const isPath = (word: string) => /[\\/]|\.gguf$/i.test(word);

/** `studio models use ID FILE`: FILE is a local id or the path of a file, which is taken into the folder first. */
export async function useModel(loaded: LoadedConfig, [id, wanted]: readonly string[], out: Output): Promise<number> {
  if (id === undefined || wanted === undefined)
    throw new UsageError('Use "studio models use CATALOGUE_ID LOCAL_ID_OR_FILE".');
  const { config, catalogue } = loaded;
  const entry = catalogue.get(id);
  if (!entry) {
    const known = catalogue.list().map((model) => model.id);
    throw new UsageError(`There is no model "${id}" in the catalogue; known: ${known.join(', ')}.`);
  }
  const localId = isPath(wanted) ? await importModel(modelFolder(config), wanted) : wanted.toLowerCase();
  const { models } = await reportOnLocalModels(config);
  const local = models.find(({ model }) => model.id === localId);
  if (!local) {
    const known = models.map(({ model }) => model.id).join(', ');
    throw new UsageError(`There is no local model "${localId}"; there are: ${known || 'none'}.`);
  }
  if (local.problem !== null) throw new UsageError(local.problem);
  if (local.model.kind !== entry.kind)
    throw new UsageError(`${localId} is a model of kind ${local.model.kind}, ${id} one of kind ${entry.kind}.`);
  await withBindings(loaded, out, (deps) => bindModel(deps, { catalogueId: id, localId }));
  out.print(`${id} is served by ${localId}.`);
  return 0;
}

/** `studio models unuse ID`: gives an id back to the engines of the configuration. */
export async function unuseModel(loaded: LoadedConfig, [id]: readonly string[], out: Output): Promise<number> {
  if (id === undefined) throw new UsageError('Use "studio models unuse CATALOGUE_ID".');
  const was = await withBindings(loaded, out, (deps) => unbindModel(deps, id));
  out.print(was ? `${id} is served as the configuration says.` : `${id} was bound to no local model.`);
  return 0;
}

/** `studio models import FILE`. */
export async function importFile({ config }: LoadedConfig, [path]: readonly string[], out: Output): Promise<number> {
  if (path === undefined) throw new UsageError('Use "studio models import FILE.gguf".');
  const id = await importModel(modelFolder(config), path);
  const problem = (await reportOnLocalModels(config)).models.find(({ model }) => model.id === id)?.problem ?? null;
  if (problem !== null) out.note(`! ${problem}`);
  out.print(`${id} is in ${modelFolder(config)}.`);
  return problem === null ? 0 : 1;
}

/** `studio models remove LOCAL_ID`. */
export async function removeFile({ config }: LoadedConfig, [id]: readonly string[], out: Output): Promise<number> {
  if (id === undefined) throw new UsageError('Use "studio models remove LOCAL_ID".');
  await removeModel(modelFolder(config), id.toLowerCase());
  out.print(`${id} is removed.`);
  return 0;
}
