import { reportOnLocalModels } from '../../compose/model-files.ts';
import type { Config } from '../../config/index.ts';
import { ok, warn, type Finding } from './finding.ts';

const GIB = 1024 ** 3;
const gib = (bytes: number) => `${(bytes / GIB).toFixed(1)} GiB`;

/** Whether the model files of this machine can be used, and fit into the memory that they may take. */
export async function checkLocalModels(config: Config): Promise<Finding[]> {
  const { folder, budgetBytes, models } = await reportOnLocalModels(config);
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
  return [ok(subject, `${what}; folder ${folder}; may take ${gib(budgetBytes)}`), ...findings];
}
