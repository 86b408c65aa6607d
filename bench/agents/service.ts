import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AgentDefinition } from '@ai-studio/contract/agents/definition.ts';
import { generateKeyValue } from '../../server/src/identity/key-format.ts';
import { deployAgent } from '../deploy-agent.ts';
import { openServiceDatabase } from '../service-database.ts';
import { createPrograms, freePort, nextMessage, type Program, sleep } from '../gateway/children.ts';
import type { EngineMessage, EngineMode, EngineReport } from '../gateway/engine.ts';
import { cpuMicros } from '../gateway/proc.ts';

// The service with its own PostgreSQL, and an engine with scripted answers, each in processes of their own.

const MODEL = 'bench';
const READY_MS = 60_000;

export interface Bench {
  readonly model: string;
  /** Sets what the engine answers from now on. */
  setEngineMode(mode: EngineMode): Promise<void>;
  /** Makes an agent that is deployed; its path. */
  agent(definition: AgentDefinition): Promise<string>;
  /** Sends JSON and reads all of the answer. Throws on another status than 200. */
  post(path: string, body: unknown): Promise<string>;
  /** CPU time so far, in microseconds: of the service alone, and with its PostgreSQL. */
  cpu(): { readonly service: number; readonly all: number };
  /** Bytes that the events of the last run take, and characters of its answer. */
  stored(): Promise<{ readonly bytes: number; readonly events: number; readonly text: number }>;
  close(): Promise<void>;
}

async function untilReady(base: string, service: Program): Promise<void> {
  for (const deadline = Date.now() + READY_MS; Date.now() < deadline; await sleep(50)) {
    const ready = await fetch(`${base}/readyz`).catch(() => null);
    if (ready?.ok === true) return;
  }
  throw new Error(`the service did not get ready:\n${service.output()}`);
}

/** Starts all of it. `close` ends it and removes what it kept. */
export async function openBench(): Promise<Bench> {
  const programs = createPrograms();
  const folder = await mkdtemp(join(tmpdir(), 'studio-bench-agents-'));
  const engine = programs.start(process.execPath, [join(import.meta.dirname, '../gateway/engine.ts')], {
    core: null,
    channel: true,
  });
  const report = await nextMessage<EngineReport>(engine);
  const enginePort = 'port' in report ? report.port : 0;
  const configureEngine = async (message: EngineMessage) => {
    const ready = nextMessage<EngineReport>(engine);
    engine.child.send(message);
    await ready;
  };
  await configureEngine({ mode: { kind: 'whole' }, model: MODEL });

  const port = await freePort();
  const key = generateKeyValue();
  const config = {
    engines: { fake: { addresses: [`http://127.0.0.1:${enginePort}/v1`] } },
    models: { [MODEL]: { engines: [{ engine: 'fake' }] } },
    limits: { requests_per_minute: null, tokens_per_minute: null },
    log: { level: 'warn' },
    probe: { enabled: false },
  };
  const file = join(folder, 'studio.yaml');
  await writeFile(file, JSON.stringify(config));
  const dataDir = join(folder, 'data');
  const service = programs.start(process.execPath, [join(import.meta.dirname, '../../server/src/main.mjs')], {
    core: null,
    env: {
      STUDIO_CONFIG: file,
      STUDIO_DATA_DIR: dataDir,
      STUDIO_SERVER_PORT: String(port),
      STUDIO_INIT_API_KEY: key,
    },
  });
  const base = `http://127.0.0.1:${port}`;
  await untilReady(base, service);
  const { db, tenantId } = await openServiceDatabase(dataDir);

  return {
    model: MODEL,
    setEngineMode: (mode) => configureEngine({ mode, model: MODEL }),
    agent: (definition) => deployAgent(db, tenantId, definition),
    async post(path, body) {
      const response = await fetch(`${base}${path}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      const text = await response.text();
      if (response.status !== 200) throw new Error(`${path}: ${response.status} ${text.slice(0, 300)}`);
      return text;
    },
    cpu: () => ({ service: cpuMicros([service.child.pid ?? 0]), all: cpuMicros(service.pids()) }),
    async stored() {
      const { id, answer } = await db.query
        .selectFrom('agent_runs')
        .select(['id', 'answer'])
        .orderBy('number', 'desc')
        .executeTakeFirstOrThrow();
      const rows = await db.query.selectFrom('agent_events').select('body').where('run_id', '=', id).execute();
      const bytes = rows.reduce((sum, { body }) => sum + JSON.stringify(body).length, 0);
      return { bytes, events: rows.length, text: answer.length };
    },
    async close() {
      await db.close();
      await programs.stopAll();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
