import type { LocalReport } from '../../compose/model-files.ts';
import type { CatalogueModel } from '../../models/catalogue.ts';
import { LOCAL_ENGINE } from '../../models/local.ts';
import type { EmbeddedLength } from '../../retrieval/index.ts';
import { unfit } from './embedders.ts';
import { ok, warn, type Finding } from './finding.ts';
import type { StoredModels } from './stored.ts';

const GIB = 1024 ** 3;
const gib = (bytes: number) => `${(bytes / GIB).toFixed(1)} GiB`;

/** Collections that an embedding model of this machine filled, whose header says another length. */
const unfitFindings = (
  { model: { id, dimensions } }: LocalReport['models'][number],
  served: readonly CatalogueModel[],
  lengths: readonly EmbeddedLength[],
): Finding[] => {
  const isServedBy = (of: string) =>
    served.some(
      (one) => one.id === of && one.engines.some(({ engine, model = of }) => engine === LOCAL_ENGINE && model === id),
    );
  return dimensions === null
    ? []
    : lengths
        .filter(({ model, requested, length }) => requested === null && length !== dimensions && isServedBy(model))
        .map((one) => unfit(id, dimensions, one));
};

/**
 * Whether the model files of this machine can be used, fit into the memory that they may take, and give vectors that fit what they filled.
 * `served` are all models.
 */
export function checkLocalModels(
  report: LocalReport,
  served: readonly CatalogueModel[],
  { lengths }: StoredModels,
): Finding[] {
  const { folder, budgetBytes, models } = report;
  const subject = 'Local models';
  const findings = models.flatMap(({ model: { id }, needsBytes, problem }): Finding[] => {
    if (problem !== null) return [warn(subject, problem, 'Requests for it are answered 503 until then.')];
    if (needsBytes === null || needsBytes <= budgetBytes) return [];
    return [
      warn(
        subject,
        `${id} takes about ${gib(needsBytes)}; local models may take ${gib(budgetBytes)}`,
        'Use a smaller quantisation, a smaller local_models.context_length, or a larger local_models.memory_budget.',
      ),
    ];
  });
  const names = models.filter(({ problem }) => problem === null).map(({ model: { id, kind } }) => `${id} (${kind})`);
  const what = names.length === 0 ? 'none' : names.join(', ');
  const unfitting = models.flatMap((one) => unfitFindings(one, served, lengths));
  return [ok(subject, `${what}; folder ${folder}; may take ${gib(budgetBytes)}`), ...findings, ...unfitting];
}
