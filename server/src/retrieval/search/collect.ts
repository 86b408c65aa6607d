import type { CallContext } from '../../kernel/actor.ts';
import { createTurnBudget } from '../../kernel/turns.ts';
import type { RetrievalDeps } from '../deps.ts';
import { isNearlySame, type Signature, signatureOf } from '../duplicates/signature.ts';
import { createAnswerFilter } from './answer-filter.ts';
import { type Candidate, findCandidates, type QueryVectors } from './candidates.ts';
import type { Ranked } from './hits.ts';
import { createParents } from './parents.ts';
import { type Passage, passagesOf } from './passages.ts';
import type { SearchPlan } from './plan.ts';
import { weighCandidates } from './weigh-candidates.ts';

/** Fewest candidates that each ranking is asked for. */
const MIN_CANDIDATES = 50;
/** The same where weights may bring up what stands far below. */
const MIN_WEIGHED = 200;
/** Candidates for each passage that is wanted, so that the legs meet. */
const OVERSAMPLING = 3;
/** Most candidates of a ranking. */
const MAX_CANDIDATES = 2_000;

/** The collection changed while it was searched: the hits are of an older version. */
export class CollectionChanged extends Error {}

/** Whether a change became visible since the plan was made. */
async function hasChanged({ db }: RetrievalDeps, { collections }: SearchPlan): Promise<boolean> {
  const rows = await db.query
    .selectFrom('collections')
    .select(['id', 'index_version', 'index_table'])
    .where(
      'id',
      'in',
      collections.map(({ id }) => id),
    )
    .execute();
  const now = new Map(rows.map((row) => [row.id, row]));
  return collections.some(({ id, index_version: version, index_table: table }) => {
    const row = now.get(id);
    return row?.index_version !== version || row.index_table !== table;
  });
}

/** Takes passages, the best first: each as a hit of its own, or as part of one. */
function createGathering(deps: RetrievalDeps, plan: SearchPlan) {
  const found: Ranked[] = [];
  const parents = plan.parentSize === null ? null : createParents(deps.db, plan.parentSize);
  const signatures = new Map<Ranked, Signature>();
  /** Whether it says the same as a better one, at which it is named then. */
  const isFolded = (passage: Passage, own: Signature | null) => {
    if (own === null) return false;
    for (const [better, signature] of signatures)
      if (isNearlySame(signature, own)) {
        better.duplicates.push(passage);
        return true;
      }
    return false;
  };
  return {
    found,
    async add(accepted: readonly { readonly passage: Passage; readonly candidate: Candidate }[]): Promise<void> {
      const ranges = (await parents?.place(accepted.map(({ passage }) => passage))) ?? [];
      for (const [at, { passage, candidate }] of accepted.entries()) {
        const range = ranges[at];
        const own = plan.collapse ? signatureOf(passage.content) : null;
        // Found within the larger passage of a better one, or there already.
        if (range === null || isFolded(passage, own)) continue;
        const ranked: Ranked = { passage, candidate, score: candidate.score, rerank: undefined, range, duplicates: [] };
        if (own !== null) signatures.set(ranked, own);
        found.push(ranked);
      }
    },
  };
}

/**
 * The best visible passages, as many as are wanted, best first. Throws CollectionChanged, but not where it `mustAnswer`: what is found then is
 * visible all the same, and a passage of what changed meanwhile may be missing. Throws IndexError.
 */
export async function collect(
  deps: RetrievalDeps,
  ctx: CallContext,
  plan: SearchPlan,
  vectors: QueryVectors,
  mustAnswer: boolean,
): Promise<Ranked[]> {
  const wanted = plan.rerank?.candidates ?? plan.topK;
  const answers = createAnswerFilter(plan);
  const spend = createTurnBudget();
  const least = plan.weights === null ? MIN_CANDIDATES : MIN_WEIGHED;
  for (let limit = Math.max(least, wanted * OVERSAMPLING); ; limit *= 4) {
    const { list: all, mayHaveMore } = await findCandidates(deps, ctx, plan, vectors, limit);
    const list = plan.weights === null ? all : await weighCandidates(deps.db, plan.weights, all, deps.now());
    const { threshold } = plan;
    // With a reranker the threshold applies to its score.
    const fitting = threshold === null || plan.rerank !== null ? list : list.filter(({ score }) => score >= threshold);
    const { found, add } = createGathering(deps, plan);
    let [dropped, queries] = [0, 0];
    // Many that words did not find may be no answers: all of them are looked at in one go.
    const few = answers.isActive && fitting.filter(({ keyword }) => keyword !== undefined).length < wanted;
    const step = few ? wanted + MIN_CANDIDATES : wanted;
    for (let at = 0; at < fitting.length && found.length < wanted; at += step, queries++) {
      const part = fitting.slice(at, at + step);
      const passages = await passagesOf(
        deps.db,
        ctx.actor,
        part.map(({ rowId }) => rowId),
        plan.sight,
      );
      const accepted: { passage: Passage; candidate: Candidate }[] = [];
      for (const candidate of part) {
        const passage = passages.get(candidate.rowId);
        if (answers.isActive || plan.collapse) await spend(passage?.content.length ?? 0);
        if (passage === undefined) dropped++;
        else if (plan.leavesOut !== passage.id && answers.accepts(passage, candidate))
          accepted.push({ passage, candidate });
      }
      await add(accepted);
    }
    // Several queries may each have seen another snapshot.
    if (!mustAnswer && (dropped > 0 || queries > 1) && (await hasChanged(deps, plan))) throw new CollectionChanged();
    const folds = plan.collapse || plan.parentSize !== null;
    if (found.length >= wanted || !mayHaveMore || (dropped === 0 && !folds) || limit * 4 > MAX_CANDIDATES)
      return found.slice(0, wanted);
  }
}
