import type { CatalogueModel } from '../../models/catalogue.ts';
import { hasModel, type EngineReport } from '../models.ts';
import { ok, warn, type Finding } from './finding.ts';

/** What one address says of a model. */
interface SaidLength {
  readonly address: string;
  /** Null where it does not say. */
  readonly tokens: number | null;
}

/** Entries of the configuration by their ids. */
type ConfiguredModels = Readonly<Record<string, { readonly context_length?: number | undefined } | null>>;

type Reports = ReadonlyMap<string, readonly EngineReport[]>;

/** What the addresses of the first priority say, which is what counts. */
function saidOf({ id, engines }: CatalogueModel, reports: Reports): SaidLength[] {
  const first = Math.min(...engines.map(({ priority }) => priority));
  return engines
    .filter(({ priority }) => priority === first)
    .flatMap(({ engine, model = id }) =>
      (reports.get(engine) ?? [])
        .filter((report) => report.problem === null && hasModel(report, model))
        .map((report) => ({
          address: report.id,
          tokens: report.models.find(({ name }) => name === model)?.contextLength ?? null,
        })),
    );
}

function findingOf(model: CatalogueModel, said: readonly SaidLength[], configured: number | undefined): Finding {
  const subject = `Model ${model.id}`;
  const known = said.flatMap(({ tokens }) => (tokens === null ? [] : [tokens]));
  const silent = said.filter(({ tokens }) => tokens === null).map(({ address }) => address);
  if (silent.length > 0 && configured === undefined)
    return warn(
      subject,
      `${silent.join(', ')} does not say how long its context is; ${model.context_length} tokens are assumed until it refuses a request`,
      `Write what it was started with: models: {${model.id}: {context_length: N}}`,
    );
  const shortest = Math.min(...known, model.context_length);
  if (new Set(known).size > 1)
    return warn(
      subject,
      `its addresses have contexts of different lengths: ${said.map(({ address, tokens }) => `${address} ${tokens ?? '?'}`).join(', ')}; ${shortest} tokens count for all`,
      'Start them with the same length, or bind the shorter one with a higher priority number.',
    );
  if (configured !== undefined && known.length > 0 && shortest < configured)
    return warn(
      subject,
      `context_length is ${configured}, but its server has a context of ${shortest} tokens, which counts`,
      'Write that, or start the server with a longer context.',
    );
  return ok(subject, `has a context of ${shortest} tokens`);
}

/** Whether the servers of chat models say how long their contexts are, agree in it, and have what the configuration says. */
export function checkLengths(
  models: readonly CatalogueModel[],
  reports: Reports,
  configured: ConfiguredModels,
): Finding[] {
  return models.flatMap((model) => {
    if (model.kind !== 'chat') return [];
    const said = saidOf(model, reports);
    return said.length === 0 ? [] : [findingOf(model, said, configured[model.id]?.context_length)];
  });
}
