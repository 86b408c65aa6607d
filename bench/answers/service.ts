import type { AgentTemplate } from '@ai-studio/contract/console/agents.ts';
import type { Citation } from '@ai-studio/contract/agents/run.ts';
import { setTimeout as wait } from 'node:timers/promises';
import { starter } from '../../server/src/agents/definition/starters.ts';
import { hexId } from '../../server/src/kernel/ids.ts';
import { type Service, startService } from '../../server/test/support/service.ts';
import { deployAgent } from '../deploy-agent.ts';
import { openServiceDatabase } from '../service-database.ts';
import type { SetDocument } from './set.ts';
import { renderSetDocument } from './render-document.ts';

// The service with documents that were uploaded, and the template that answers from them, as it is made.

const READY_MS = 180_000;

/** Result of a run. */
export interface RunResult {
  readonly answer: string;
  /** Names of the documents that it cites. */
  readonly cited: readonly string[];
  /** Passages that the search of its first step gave, best first; none where it has no such step. */
  readonly passages: readonly Citation[];
  /** Steps that were done, by their keys. */
  readonly steps: readonly string[];
}

/** Options of a question to an agent. */
interface AskOptions {
  /** The one that answers from a collection where it is left out. */
  readonly template?: AgentTemplate;
  readonly files?: readonly { readonly name: string; readonly bytes: Uint8Array }[];
}

interface AnswerServiceOptions {
  /** What answers: the built-in engine where it is left out. */
  readonly model?: string;
  /** A data folder that is made ready, and kept. */
  readonly dataFolder?: string;
}

/** A running service with uploaded documents. */
export interface AnswerService {
  ask(question: string, options?: AskOptions): Promise<RunResult>;
  close(): Promise<void>;
}

async function send<T>({ base, key }: Service, path: string, body?: FormData | object): Promise<T> {
  const isForm = body instanceof FormData;
  const response = await fetch(`${base}${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      ...(isForm || body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${path}: ${response.status} ${text.slice(0, 300)}`);
  return JSON.parse(text) as T;
}

interface Envelope<T> {
  readonly result: T;
}

/** Uploads documents into a collection of their own and waits until they can be found. */
async function upload(service: Service, documents: readonly SetDocument[]): Promise<string> {
  const rag = '/v1/rag42/collections';
  const { result } = await send<Envelope<{ collection_id: string }>>(service, rag, { collection_name: 'answers' });
  const path = `${rag}/${result.collection_id}/documents`;
  for (const document of documents) {
    const form = new FormData();
    form.set('file', new Blob([new Uint8Array(renderSetDocument(document))]), document.name);
    await send(service, `${path}/upload`, form);
  }
  for (const deadline = Date.now() + READY_MS; Date.now() < deadline; await wait(100)) {
    const list = await send<Envelope<{ items: readonly { name: string; state: string }[] }>>(
      service,
      `${path}?size=100`,
    );
    const states = list.result.items.map(({ state }) => state);
    if (states.includes('failed')) throw new Error(`a document was not read: ${JSON.stringify(list.result.items)}`);
    if (states.length === documents.length && states.every((state) => state === 'ready')) return result.collection_id;
  }
  throw new Error('the documents did not get ready');
}

/** Starts the service, uploads the documents, and deploys templates as they are asked. */
export async function startAnswerService(
  documents: readonly SetDocument[],
  { model = 'CORE-GOV', dataFolder }: AnswerServiceOptions = {},
): Promise<AnswerService> {
  const service = await startService({
    ...(dataFolder === undefined ? {} : { dataFolder }),
    config: { limits: { requests_per_minute: null, tokens_per_minute: null }, log: { level: 'warn' } },
  });
  const { db, tenantId } = await openServiceDatabase(service.dataFolder);
  const close = async () => {
    await db.close();
    await service.close();
  };
  try {
    const collection = await upload(service, documents);
    const paths = new Map<AgentTemplate, string>();
    const pathOf = async (template: AgentTemplate) => {
      const known = paths.get(template);
      if (known !== undefined) return known;
      const path = await deployAgent(
        db,
        tenantId,
        starter(template, { language: 'en', model, collections: [collection] }),
      );
      paths.set(template, path);
      return path;
    };
    return {
      async ask(question, { template = 'knowledge_answer', files = [] } = {}) {
        const path = await pathOf(template);
        const message = {
          kind: 'message',
          messageId: hexId(),
          role: 'user',
          parts: [
            { kind: 'text', text: question },
            ...files.map(({ name, bytes }) => ({
              kind: 'file',
              file: { name, bytes: Buffer.from(bytes).toString('base64') },
            })),
          ],
        };
        const reply = await send<object>(service, path, {
          jsonrpc: '2.0',
          id: 1,
          method: 'message/send',
          params: { message },
        });
        if ('error' in reply) throw new Error(JSON.stringify(reply.error));
        const run = await db.query
          .selectFrom('agent_runs')
          .select(['id', 'answer', 'citations'])
          .orderBy('number', 'desc')
          .executeTakeFirstOrThrow();
        const steps = await db.query
          .selectFrom('agent_steps')
          .select(['key', 'outputs', 'state'])
          .where('run_id', '=', run.id)
          .execute();
        const search = steps.find(({ key }) => key === 'search')?.outputs as
          | { passages: readonly Citation[] }
          | undefined;
        return {
          answer: run.answer,
          cited: (run.citations as readonly Citation[]).map(({ document_name: name }) => name),
          passages: search?.passages ?? [],
          steps: steps.filter(({ state }) => state === 'done').map(({ key }) => key),
        };
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}
