import { type EmbedderProbe, probeEmbedder, vectorFault } from '../../inference/index.ts';
import type { CatalogueModel } from '../../models/catalogue.ts';
import { lengthOfTexts, prefixesOf } from '../../models/embedders.ts';
import { type Engine, EngineError } from '../../ports/engine.ts';
import type { EmbeddedLength } from '../../retrieval/index.ts';
import { ok, warn, type Finding } from './finding.ts';

/** An embedding model at an engine. */
export interface AskedEmbedder {
  readonly engine: Engine;
  /** The engine's own name of the model. */
  readonly model: string;
  readonly timeoutMs: number;
  /** Its entries of the catalogue. */
  readonly entries: readonly CatalogueModel[];
  /** What it filled by any of its ids. */
  readonly filled: readonly EmbeddedLength[];
}

/** Maximum number of collections that a finding names. */
const MAX_NAMES = 5;

/** The first collections of some, by their names. */
export const namesOf = ({ names }: Pick<EmbeddedLength, 'names'>) => {
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

/** Time for all that a model is asked to find out what it does. */
const PROBE_TIMEOUT_MS = 30_000;

/** What a model does beside giving vectors; null where it would not answer all of it. */
async function probe({ engine, model, entries }: AskedEmbedder): Promise<EmbedderProbe | null> {
  const prefixes = entries[0] ? prefixesOf(entries[0]) : { query: '', passage: '' };
  const signal = AbortSignal.timeout(PROBE_TIMEOUT_MS);
  return probeEmbedder(engine, model, { prefixes, signal }).catch(() => null);
}

const round = (value: number) => Math.round(value * 1_000) / 1_000;

/** What was found out, in words. */
function factsOf({ maxTokens, cutsSilently, norm, shortens, prefixSensitive }: EmbedderProbe): string {
  const length = maxTokens === null ? 'length of texts unknown' : `reads ${maxTokens} tokens of a text`;
  return [
    `of norm ${round(norm)}`,
    `${length}${cutsSilently && maxTokens !== null ? ', and cuts longer ones without a word' : ''}`,
    `${shortens ? 'takes' : 'does not take'} dimensions`,
    `${prefixSensitive ? 'heeds' : 'does not heed'} prefixes`,
  ].join('; ');
}

/** What of the catalogue does not fit what a model does, or is missing there. */
function entryFindings(entry: CatalogueModel, { dimension, maxTokens, prefixSensitive }: EmbedderProbe): Finding[] {
  const { id, dimensions } = entry;
  const subject = `Embedding model ${id}`;
  const written = lengthOfTexts(entry);
  const { query, passage } = prefixesOf(entry);
  const findings: Finding[] = [];
  if (dimensions !== undefined && dimensions !== dimension)
    findings.push(
      warn(
        subject,
        `gives vectors of ${dimension} numbers, the catalogue says ${dimensions}`,
        `Write models.${id}.dimensions: ${dimension}, or leave it out.`,
      ),
    );
  if (written === null && maxTokens === null)
    findings.push(
      warn(
        subject,
        'does not say how long a text may be',
        `Write models.${id}.embedding.max_tokens: else its server may cut longer texts without a word.`,
      ),
    );
  if (written !== null && maxTokens !== null && written > maxTokens)
    findings.push(
      warn(
        subject,
        `reads ${maxTokens} tokens of a text at its server, the catalogue says ${written}`,
        `Write models.${id}.embedding.max_tokens: ${maxTokens}, or give the server a longer context.`,
      ),
    );
  if (prefixSensitive && query + passage === '')
    findings.push(
      warn(
        subject,
        'finds passages otherwise with words such as "query: " before texts, and is given none',
        `If its model card names such words, write models.${id}.embedding.query_prefix and passage_prefix.`,
      ),
    );
  return findings;
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
      if (requested === null) {
        const probed = await probe(asked);
        const facts = probed === null ? '' : ` ${factsOf(probed)}`;
        findings.push(ok(`Embedding model ${model}`, `gives vectors of ${length} numbers${facts}`));
        if (probed !== null) findings.push(...asked.entries.flatMap((entry) => entryFindings(entry, probed)));
      }
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
