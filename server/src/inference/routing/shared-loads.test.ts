import { expect, test } from 'vitest';
import type { Engine } from '../../ports/engine.ts';
import { shareLoads } from './shared-loads.ts';
import { createTargets } from './targets.ts';

const engine: Engine = {
  id: 'e',
  kind: 'openai',
  traits: { choices: true, reportsStop: true },
  health: () => Promise.resolve({ ok: true, reason: null }),
  models: () => Promise.resolve([]),
  close: () => Promise.resolve(),
};
const URL = 'http://10.0.0.1:8000/v1';

test('calls of other processes count while they can be asked, and no longer', async () => {
  const addresses = [{ engine, weight: 1, url: URL }];
  const targets = createTargets({ engines: new Map([['e', addresses]]), now: () => 0, random: () => 0.5 });
  const [candidate] = targets.of([{ engine: 'e', weight: 1, priority: 0 }], 'm');
  if (!candidate) throw new Error('There is no target');
  const said: ReadonlyMap<string, number>[] = [];
  let others: () => Promise<ReadonlyMap<string, number>> = () => Promise.resolve(new Map([[URL, 7]]));
  const sharing = shareLoads(targets, {
    exchange(own) {
      said.push(own);
      return others();
    },
    close: () => Promise.resolve(),
  });
  try {
    targets.started(candidate);
    await sharing.refresh();
    expect(said).toEqual([new Map([[URL, 1]])]);
    expect(candidate.target.elsewhere).toBe(7);
    // By itself, four times a second.
    others = () => Promise.reject(new Error('Redis is away'));
    await expect.poll(() => candidate.target.elsewhere).toBe(0);
    others = () => Promise.resolve(new Map([[URL, 2]]));
    await expect.poll(() => candidate.target.elsewhere).toBe(2);
    others = () => Promise.reject(new Error('Redis is away'));
    await sharing.refresh();
    expect(candidate.target.elsewhere).toBe(0);
  } finally {
    sharing.close();
  }
});
