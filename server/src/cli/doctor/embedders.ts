import { vectorFault } from '../../inference/index.ts';
import { type Engine, EngineError } from '../../ports/engine.ts';
import type { EmbeddedLength } from '../../retrieval/index.ts';
import { ok, warn, type Finding } from './finding.ts';

/** An embedding model at an engine. */
export interface AskedEmbedder {
  readonly engine: Engine;
  /** The engine's own name of the model. */
  readonly model: string;
  readonly timeoutMs: number;
  /** What it filled by any of its ids. */
  readonly filled: readonly EmbeddedLength[];
}

/** Maximum number of collections that a finding names. */
const MAX_NAMES = 5;

const namesOf = ({ names }: EmbeddedLength) => {
  const first = names.slice(0, MAX_NAMES).map((name) => JSON.stringify(name));
  return `${first.join(', ')}${names.length > MAX_NAMES ? ` and ${names.length - MAX_NAMES} more` : ''}`;
};

/** What is told of collections that a model fits no more. */
export const unfit = (model: string, gives: number, filled: EmbeddedLength): Finding =>
  warn(
    `Embedding model ${model}`,
    `gives vectors of ${gives} numbers, those of ${namesOf(filled)} have ${filled.length}`,
    'Reindex these collections, or serve the model that filled them. Their hybrid searches go by words alone until then, documents wait.',
  );

/** The length of the vectors that a model gives. Throws an Error that says why they cannot be used. */
async function lengthOf({ engine, model, timeoutMs }: AskedEmbedder, dimensions: number | null): Promise<number> {
  const signal = AbortSignal.timeout(timeoutMs);
  const late = new Error(`gives no vector within ${timeoutMs} ms`);
  const made = await Promise.resolve(
    engine.embed?.({ requestId: 'doctor', model, input: ['doctor'], dimensions, signal }),
  ).catch((error: unknown) => {
    throw signal.aborted ? late : error;
  });
  if (made === undefined) throw new Error('its engine makes no vectors');
  const fault = vectorFault(made, 1, null);
  if (fault !== null) throw new Error(`gives ${fault}`);
  return made.vectors[0]?.length ?? 0;
}

/**
 * Whether an engine makes vectors that can be used with a model of its own name, and that fit the collections that it filled: it is asked
 * for one of its own length, and for one of each length that collections ask for.
 */
export async function checkEmbedder(asked: AskedEmbedder): Promise<Finding[]> {
  const { engine, model, filled } = asked;
  const wishes = new Set([null, ...filled.map(({ requested }) => requested)]);
  const findings: Finding[] = [];
  for (const requested of wishes) {
    try {
      const length = await lengthOf(asked, requested);
      if (requested === null) findings.push(ok(`Embedding model ${model}`, `gives vectors of ${length} numbers`));
      const of = filled.filter((one) => one.requested === requested && one.length !== length);
      findings.push(...of.map((one) => unfit(model, length, one)));
    } catch (error) {
      const what = error instanceof EngineError ? (error.detail ?? error.message) : (error as Error).message;
      findings.push(
        warn(
          `Embedding model ${model}`,
          requested === null ? what : `${what}, where ${requested} numbers are asked for`,
          `Mend it on the engine ${engine.id}. Hybrid searches go by words alone until then, documents wait.`,
        ),
      );
      if (requested === null) break;
    }
  }
  return findings;
}
