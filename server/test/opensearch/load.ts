import { setTimeout as wait } from 'node:timers/promises';
import { expect } from 'vitest';
import { ask, formOf, sendForm, type Answer } from '../support/retrieval.ts';
import type { Service } from '../support/service.ts';

/** Whether an answer is a good one; fails where it is neither that nor a 503 that says when to come back. */
export function isFine({ status, message, headers }: Answer): boolean {
  if (status === 200) return true;
  expect(status, message).toBe(503);
  expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
  return false;
}

/** A word that is no part of another. */
export const wordOf = (at: number): string =>
  `zq${Array.from(String(at).padStart(5, '0'), (digit) => 'bcdfghjklm'[Number(digit)]).join('')}`;

/** Uploads, removals and searches at one time, until they are told to end. */
export function startLoad(service: Service, collection: string, other: string) {
  const state = { ends: false, next: 0 };
  /** Documents by their word, which no other has. */
  const kept = new Map<string, string>();
  const removed = new Set<string>();
  const refused = { vector: 0, keyword: 0, hybrid: 0 };
  const repeat = async (work: () => Promise<void>) => {
    for (; !state.ends; await wait(50)) await work();
  };
  async function write(): Promise<void> {
    const word = wordOf(state.next++);
    const form = formOf(`${word}.md`, `# 목장\n\n공통 ${word} 안내`);
    const answer = await sendForm(service, `collections/${collection}/documents/upload`, form);
    if (!isFine(answer)) return;
    kept.set(word, answer.result.document_id);
    if (state.next % 5 !== 0) return;
    const [first = '', id = ''] = [...kept][0] ?? [];
    kept.delete(first);
    if (isFine(await ask(service, `documents/${id}`, { method: 'DELETE' }))) removed.add(first);
    else kept.set(first, id);
  }
  const search = (mode: keyof typeof refused) => async () => {
    const body = { collection_id: collection, query: '공통 안내', search_type: mode };
    const answer = await ask<{ readonly hits: readonly { readonly content: string }[] }>(service, 'search', { body });
    if (!isFine(answer)) refused[mode]++;
    else for (const { content } of answer.result.hits) expect(content).not.toContain('남의');
  };
  const work = Promise.all([
    ...(['vector', 'keyword', 'hybrid'] as const).map((mode) => repeat(search(mode))),
    ...[1, 2].map(() => repeat(write)),
    repeat(async () => {
      const body = { collection_id: other, query: '공통', search_type: 'keyword' };
      const answer = await ask<{ readonly hits: readonly unknown[] }>(service, 'search', { body });
      if (isFine(answer)) expect(answer.result.hits).toHaveLength(1);
    }),
  ]);
  // It may fail while nobody waits for it.
  work.catch(() => undefined);
  return {
    kept,
    removed,
    refused,
    async end() {
      state.ends = true;
      await work;
    },
  };
}
