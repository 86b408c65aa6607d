import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { AgentDefinition } from '@ai-studio/contract/agents/definition.ts';
import { databaseOf, firstTenant, makeAgent, plainAgent } from './a2a.ts';
import { makeKey } from './command.ts';
import { startService } from './service.ts';
import { answer, openUpstream, type UpstreamCall } from './upstream.ts';

const folder = join(import.meta.dirname, '..', '..', '..', 'examples');

/** A service that the examples run against: a new one, with agents, and a model that reranks. */
export interface ExampleHouse {
  /** Variables of the environment for an example. */
  envOf(name: string): Record<string, string>;
  close(): Promise<void>;
}

/** A model that likes texts about leave. */
function rerank(call: UpstreamCall): void | Promise<void> {
  const documents = call.json['documents'] as string[];
  const results = documents.map((text, index) => ({ index, relevance_score: text.includes('연차') ? 0.97 : 0.04 }));
  return answer(200, { id: 'x', results, usage: { total_tokens: 3 } })(call);
}

export async function openExamples(): Promise<ExampleHouse> {
  const upstream = await openUpstream(['reranker']);
  upstream.plays(rerank);
  const service = await startService({
    config: {
      engines: { fake: { kind: 'openai', addresses: [upstream.url] } },
      models: { reranker: { kind: 'rerank', engines: [{ engine: 'fake' }] } },
    },
  });
  const ofAgents = await makeKey(service, { agentModels: true });
  const db = await databaseOf(service);
  try {
    const tenant = await firstTenant(db);
    const { definition } = JSON.parse(readFileSync(join(folder, 'agents/table.json'), 'utf8')) as {
      readonly definition: unknown;
    };
    const [plain, table] = [
      await makeAgent(db, tenant, plainAgent(), { name: 'Calculator' }),
      await makeAgent(db, tenant, AgentDefinition.parse(definition), { name: 'Table' }),
    ];
    return {
      envOf: (name) => ({
        STUDIO_URL: service.base,
        STUDIO_API_KEY: /agent.model/.test(name) ? ofAgents.value : service.key,
        STUDIO_AGENT: /agent.parts/.test(name) ? table.slug : plain.slug,
      }),
      async close() {
        await service.close();
        await upstream.close();
      },
    };
  } finally {
    await db.close();
  }
}

/** What an example must print. */
export type Expected = Readonly<Record<string, readonly RegExp[]>>;
