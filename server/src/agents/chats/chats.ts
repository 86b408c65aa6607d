import type { UrlCitation } from '@ai-studio/contract/chat/annotations.ts';
import type { ChatOutput, ChatResult, RunningChat } from '../../inference/index.ts';
import { chatReplyId } from '../../kernel/ids.ts';
import type { Principal } from '../../kernel/actor.ts';
import { invalidRequest, quoteId } from '../../kernel/errors.ts';
import type { TenantId } from '../../kernel/context.ts';
import { type Deployed, deployedBySlug } from '../lifecycle/runnable.ts';
import { AGENT_MODEL, namedAgent, readAgentChat } from './read-chat.ts';
import { AgentAnswer, type AgentChatDeps, type AnswerForm, type AnswerOptions } from './running-chat.ts';
import { agentTakesFiles } from './start-chat.ts';
import { cancelLasting } from './lasting.ts';
import { ChatForm } from './write-chat.ts';

/** An agent as a model of a tenant. */
export interface AgentModel {
  /** `agent/` and the slug. */
  readonly id: string;
  /** What people call it. */
  readonly name: string;
  /** When it, or which version of it is deployed, changed last. */
  readonly updatedAt: Date;
}

/** A chat with an agent that can begin. */
export interface OpenedChat {
  readonly model: string;
  readonly stream: boolean;
  /** Names of fields that change nothing. */
  readonly ignored: readonly string[];
  /** Answers in the form of chats; `done` is called exactly once. Never throws. */
  run(output: ChatOutput, done: (result: ChatResult) => void, options?: AnswerOptions): RunningChat;
  /** The same for another form: the end and the failure are those of the result. */
  tell(listener: AnswerListener, done: (result: ChatResult) => void, options?: AnswerOptions): RunningChat;
}

/** Hears an answer as it comes. */
export interface AnswerListener {
  text(text: string): void;
  /** Its sources, once its text is whole. */
  sources(annotations: readonly UrlCitation[]): void;
}

/** Agents as models, for callers of chats. */
export interface AgentChats {
  /** Those of a tenant that are deployed, by name. */
  list(tenantId: TenantId): Promise<readonly AgentModel[]>;
  /** One of them by its id; null where there is none. */
  find(tenantId: TenantId, id: string): Promise<AgentModel | null>;
  /** The chat of a body that names an agent; null for one that names a model. Rejects with StudioError `invalid_request`. */
  open(actor: Principal, body: unknown): Promise<OpenedChat | null>;
  /** Whether an agent takes files, by its id; no, where there is none. */
  takesFiles(tenantId: TenantId, id: string): Promise<boolean>;
  /** Ends the run of a lasting chat, where it was begun and nobody did: its agent by its id, and the name of the chat. */
  cancelLasting(tenantId: TenantId, id: string, lasting: string): Promise<void>;
}

const toldTo = ({ text, sources }: AnswerListener): AnswerForm => ({
  say(said) {
    text(said);
    return true;
  },
  end: ({ annotations }) => sources(annotations),
  fail: () => undefined,
  ping: () => undefined,
  isOpen: false,
});

function begin(answer: AgentAnswer): AgentAnswer {
  void answer.run();
  return answer;
}

const MAX_LISTED = 1_000;
const SLUG = /^[A-Za-z0-9_-]{22}$/;

export function createAgentChats(deps: AgentChatDeps): AgentChats {
  const { db } = deps;
  const deployed = async (tenantId: TenantId, slug: string): Promise<Deployed | null> => {
    const found = SLUG.test(slug) ? await deployedBySlug({ db }, tenantId, slug) : null;
    return found?.deployed === true ? found : null;
  };
  const deployedNamed = async (tenantId: TenantId, id: string): Promise<Deployed | null> => {
    const slug = namedAgent({ model: id });
    return slug === null ? null : deployed(tenantId, slug);
  };
  return {
    async list(tenantId) {
      const rows = await db.query
        .selectFrom('agents')
        .select(['slug', 'name', 'updated_at'])
        .where('tenant_id', '=', tenantId)
        .where('deployed_version_id', 'is not', null)
        .orderBy('name')
        .orderBy('id')
        .limit(MAX_LISTED)
        .execute();
      return rows.map(({ slug, name, updated_at: updatedAt }) => ({ id: AGENT_MODEL + slug, name, updatedAt }));
    },
    async find(tenantId, id) {
      const found = await deployedNamed(tenantId, id);
      return found === null ? null : { id, name: found.agent.name, updatedAt: found.updatedAt };
    },
    async open(actor, body) {
      const slug = namedAgent(body);
      if (slug === null) return null;
      const chat = readAgentChat(body, slug);
      const agent = await deployed(actor.tenantId, slug);
      if (agent === null)
        throw invalidRequest(
          `The model ${quoteId(AGENT_MODEL + slug)} does not exist: no agent of this slug is deployed; GET /v1/models lists those that are`,
          'model',
        );
      return {
        model: AGENT_MODEL + slug,
        stream: chat.stream,
        ignored: chat.ignored,
        run(output, done, options) {
          const created = Math.floor(deps.now() / 1000);
          const head = { id: chatReplyId(), created, model: AGENT_MODEL + slug };
          return begin(new AgentAnswer(deps, { actor, agent, chat }, new ChatForm(output, head, chat), done, options));
        },
        tell: (listener, done, options) =>
          begin(new AgentAnswer(deps, { actor, agent, chat }, toldTo(listener), done, options)),
      };
    },
    async takesFiles(tenantId, id) {
      const found = await deployedNamed(tenantId, id);
      return found !== null && agentTakesFiles(found);
    },
    cancelLasting: (tenantId, id, lasting) => cancelLasting(deps, tenantId, namedAgent({ model: id }) ?? '', lasting),
  };
}
