import { closeEngines, createEngines } from '../compose.ts';
import type { LoadedConfig } from '../config/index.ts';
import { LOCAL_ENGINE, withLocalModels } from '../models/local.ts';
import type { Engine, EngineModel } from '../ports/engine.ts';
import { takeFlags, UsageError } from './args.ts';
import { importFile, lookAtLocal, removeFile, unuseModel, useModel } from './local-models.ts';
import { pullModel, searchModels } from './pull.ts';
import { type Output, table } from './output.ts';
import type { Command } from './command.ts';
import { commandLog } from './with-database.ts';

/** What an engine says of itself now. */
export interface EngineReport {
  readonly id: string;
  readonly kind: Engine['kind'];
  /** Null when it answers. */
  readonly problem: string | null;
  readonly models: readonly EngineModel[];
}

const PATIENCE_MS = 3_000;

/** Asks an engine whether it is well and what it has. */
export async function reportOn(engine: Engine): Promise<EngineReport> {
  const { id, kind } = engine;
  try {
    const { ok, reason } = await engine.health(AbortSignal.timeout(PATIENCE_MS));
    if (!ok) return { id, kind, problem: reason ?? 'not well', models: [] };
    return { id, kind, problem: null, models: await engine.models(AbortSignal.timeout(PATIENCE_MS)) };
  } catch (error) {
    return { id, kind, problem: error instanceof Error ? error.message : String(error), models: [] };
  }
}

/** Whether an engine has a model by its name there; an engine that lists nothing has whatever is asked. */
export const hasModel = ({ models }: EngineReport, name: string) =>
  models.length === 0 || models.some((model) => model.name === name);

type Action = (loaded: LoadedConfig, words: readonly string[], out: Output) => Promise<number>;

const localActions: Readonly<Record<string, Action>> = {
  use: useModel,
  unuse: unuseModel,
  import: importFile,
  remove: removeFile,
};

export const models: Command = async (context) => {
  const { line, out, load } = context;
  const [action = 'list', ...words] = line.words;
  if (action === 'search') return searchModels(context, words);
  if (action === 'pull') return pullModel(context, words);
  const local = localActions[action];
  if (local) return local(load(), words, out);
  if (action !== 'list')
    throw new UsageError(`Use "studio models list", search, pull, ${Object.keys(localActions).join(', ')}.`);
  return list(context);
};

const list: Command = async ({ line, out, load }) => {
  const { own, rest } = takeFlags(line, ['json']);
  const { config, catalogue } = load(rest);
  const engines = createEngines({ config, log: commandLog() });
  try {
    const reports = new Map<string, EngineReport[]>();
    await Promise.all(
      [...engines].map(async ([name, addresses]) =>
        reports.set(name, await Promise.all(addresses.map(({ engine }) => reportOn(engine)))),
      ),
    );
    const local = await lookAtLocal(config);
    const stateOf = (engine: string, model: string): string => {
      if (engine === 'builtin') return 'built in, no language model';
      if (engine === LOCAL_ENGINE) return local.stateOf(model);
      const asked = reports.get(engine) ?? [];
      const well = asked.filter(({ problem }) => problem === null);
      if (well.length === 0) return `does not answer: ${asked[0]?.problem ?? 'no address'}`;
      return well.some((report) => hasModel(report, model))
        ? `answers (${well.length} of ${asked.length} addresses)`
        : `answers, but has no model "${model}"`;
    };
    const rows = withLocalModels(catalogue, local.models, local.bindings).flatMap(({ id, kind, engines: bindings }) =>
      bindings.map(({ engine, model = id }) => ({ id, kind, engine, model, state: stateOf(engine, model) })),
    );
    if (own.json) out.print(JSON.stringify(rows, null, 2));
    else
      out.print(
        table([['MODEL', 'KIND', 'ENGINE', 'STATE'], ...rows.map((row) => [row.id, row.kind, row.engine, row.state])]),
      );
  } finally {
    await closeEngines(engines);
  }
  return 0;
};
