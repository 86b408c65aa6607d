import {
  type EvaluationQuestion,
  type EvaluationQuestionsAdded,
  maxQuestions,
  type NewEvaluationQuestions,
} from '@ai-studio/contract/console/evaluation.ts';
import type { Actor } from '../../kernel/actor.ts';
import { StudioError } from '../../kernel/errors.ts';
import { hexId } from '../../kernel/ids.ts';
import type { DatabaseDeps } from '../../ports/database.ts';
import { findOwnCollection, findWholeCollection } from '../collections/rows.ts';
import { type NamedDocument, openDirectory } from './expected.ts';

type Deps = DatabaseDeps;

/** Questions of a collection in the order in which they came. Throws StudioError `not_found`. */
export async function listQuestions(
  { db: { query } }: Deps,
  actor: Actor,
  collectionId: string,
  { size, from }: { readonly size: number; readonly from: number },
) {
  await findWholeCollection(query, actor, collectionId);
  const directory = await openDirectory(query, collectionId);
  const all = query.selectFrom('evaluation_questions').where('collection_id', '=', collectionId);
  const rows = await all.selectAll().orderBy('number').limit(size).offset(from).execute();
  const { total } = await all.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  const items = rows.map(({ id, question, expected }): EvaluationQuestion => ({
    id,
    question,
    expected: expected.map((named) => {
      const now = directory.present(named);
      return { document_id: now?.id ?? named.id, name: now?.name ?? named.name, present: now !== null };
    }),
  }));
  return { items, total: Number(total), size, from };
}

/**
 * Adds the questions whose documents are all there; one that is there already in the same words expects what is named now, so that a list
 * may be brought again when it was mended. Throws StudioError `not_found`, `forbidden`, `conflict` for too many.
 */
export async function addQuestions(
  { db }: Deps,
  actor: Actor,
  collectionId: string,
  { items }: NewEvaluationQuestions,
): Promise<EvaluationQuestionsAdded> {
  const collection = await findOwnCollection(db.query, actor, collectionId);
  const directory = await openDirectory(db.query, collectionId);
  const read = items.map(({ question, expected }, item) => {
    const documents = expected.map((text) => ({ text, document: directory.find(text.trim()) }));
    const missing = documents.find(({ document }) => document === null);
    const bad = documents.length === 0 || missing !== undefined;
    const known = documents.flatMap(({ document }) => (document === null ? [] : [document]));
    return { item, question: question.trim(), bad, missing: missing?.text ?? null, known };
  });
  const given = new Map(read.filter(({ bad }) => !bad).map(({ question, known }) => [question, known]));
  const expectedOf = (known: readonly NamedDocument[]) =>
    JSON.stringify([...new Map(known.map((one) => [one.id, one])).values()]);
  const present = await db.transaction(async (tx) => {
    // One after the other, so that they do not become too many together.
    await tx.selectFrom('collections').select('id').where('id', '=', collection.id).forNoKeyUpdate().execute();
    const before = await tx
      .selectFrom('evaluation_questions')
      .select(['id', 'question'])
      .where('collection_id', '=', collection.id)
      .execute();
    const there = new Map(before.map(({ id, question }) => [question, id]));
    const fresh = [...given].filter(([question]) => !there.has(question));
    if (before.length + fresh.length > maxQuestions)
      throw new StudioError('conflict', `A collection has at most ${maxQuestions} questions`, {
        reason: 'too_many_questions',
        values: { limit: maxQuestions },
      });
    const rows = fresh.map(([question, known]) => ({
      id: hexId(),
      tenant_id: collection.tenant_id,
      collection_id: collection.id,
      question,
      expected: expectedOf(known),
    }));
    if (rows.length > 0) await tx.insertInto('evaluation_questions').values(rows).execute();
    const known = [...given].flatMap(([question, documents]) => {
      const id = there.get(question);
      return id === undefined ? [] : [{ id, expected: expectedOf(documents) }];
    });
    for (const { id, expected } of known)
      await tx.updateTable('evaluation_questions').set({ expected }).where('id', '=', id).execute();
    return known.length;
  });
  return {
    added: given.size - present,
    present,
    refused: read.filter(({ bad }) => bad).map(({ item, missing }) => ({ item, document: missing })),
  };
}

/** The id of a question by its words; null where the collection has none. Throws StudioError `not_found`. */
export async function findQuestion(
  { db: { query } }: Deps,
  actor: Actor,
  collectionId: string,
  question: string,
): Promise<string | null> {
  await findWholeCollection(query, actor, collectionId);
  const row = await query
    .selectFrom('evaluation_questions')
    .select('id')
    .where('collection_id', '=', collectionId)
    .where('question', '=', question)
    .executeTakeFirst();
  return row?.id ?? null;
}

/** Removes a question, or all. Throws StudioError `not_found`, `forbidden`. */
export async function removeQuestions(
  { db: { query } }: Deps,
  actor: Actor,
  collectionId: string,
  questionId: string | null,
): Promise<void> {
  await findOwnCollection(query, actor, collectionId);
  const { numDeletedRows } = await query
    .deleteFrom('evaluation_questions')
    .where('collection_id', '=', collectionId)
    .$if(questionId !== null, (some) => some.where('id', '=', questionId ?? ''))
    .executeTakeFirstOrThrow();
  if (questionId !== null && numDeletedRows === 0n) throw new StudioError('not_found', 'There is no such question');
}
