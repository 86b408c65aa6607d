import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { covers } from '../../server/test/requirements.ts';
import { type AnswerService, startAnswerService } from './service.ts';
import { measure } from './measure.ts';
import { sets } from './sets.ts';

// All documents lie in one collection, which makes it harder than the figures in docs/reference/built-in-engine.md.

let service: AnswerService;
beforeAll(async () => {
  service = await startAnswerService(sets.flatMap(({ set }) => set.documents));
});
afterAll(() => service.close());

describe.each(sets)('$set.name', ({ set }) => {
  test('nine of ten questions are answered from uploaded documents with the right citation, and hardly any without an answer', async () => {
    covers('agents.templates.knowledge');
    const { questions, right, unanswerable, declined, wrong } = await measure(service, set);
    expect(right / questions, wrong.join('\n')).toBeGreaterThanOrEqual(0.9);
    expect(declined / unanswerable, wrong.join('\n')).toBeGreaterThanOrEqual(0.8);
  });
});
