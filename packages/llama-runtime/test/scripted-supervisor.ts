import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ModelFailure, type ModelStatus, type SupervisorSettings, createSupervisor } from '../src/supervisor/index.ts';

const MIB = 1024 * 1024;
const silent = { debug() {}, info() {}, warn() {}, error() {} };

/**
 * A supervisor whose models are files that say how their process behaves (`model-process.ts`). Each takes 100 MiB of a budget
 * of 250.
 */
export function openScriptedSupervisor(models: Record<string, object>, settings: Partial<SupervisorSettings> = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'ai-studio-test-'));
  const version: Record<string, number> = {};
  const write = (id: string, behaviour: object) => {
    writeFileSync(join(folder, id), JSON.stringify(behaviour));
    version[id] = (version[id] ?? 0) + 1;
  };
  for (const [id, behaviour] of Object.entries(models)) write(id, behaviour);
  const seen: ModelStatus[] = [];
  const supervisor = createSupervisor({
    settings: {
      memoryBudgetBytes: 250 * MIB,
      threads: 1,
      contextLength: 1024,
      parallel: 1,
      keepAliveMs: null,
      pinned: [],
      gpu: false,
      runtimeDir: null,
      maxQueue: 10,
      ...settings,
    },
    machine: { cores: 4, memoryBytes: 1024 * MIB },
    find(id) {
      if (version[id] === undefined) throw new ModelFailure('absent', `There is no model ${id}.`);
      const fingerprint = String(version[id]);
      // A name that says so is run by a llama-server, of which the supervisor knows nothing but that.
      const server = id.includes('server') ? { binary: 'none', projector: null, args: [] } : null;
      return {
        id,
        path: join(folder, id),
        kind: 'chat',
        bytes: 3 * MIB,
        fingerprint,
        trainContext: 1024,
        tokenBytes: 1024,
        server,
      };
    },
    childMain: join(import.meta.dirname, 'model-process.ts'),
    onStatus: (status) => seen.push(status),
    log: silent,
  });
  return {
    supervisor,
    /** Makes the file of a model another one. */
    write,
    /** What was told of all models. */
    seen,
    phases: (id: string) => [...new Set(seen.filter((one) => one.id === id).map(({ phase }) => phase))],
    pid: (id: string) => supervisor.statuses().find((one) => one.id === id)?.pid ?? -1,
    loaded: () =>
      supervisor
        .statuses()
        .map(({ id }) => id)
        .toSorted(),
    async close() {
      await supervisor.close();
      rmSync(folder, { recursive: true });
    },
  };
}
