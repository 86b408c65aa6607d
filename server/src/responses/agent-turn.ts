import type { UrlCitation } from '@ai-studio/contract/chat/annotations.ts';
import type { Annotation } from '@ai-studio/contract/responses/response.ts';
import type { ResponseRequest } from '@ai-studio/contract/responses/request.ts';
import { AGENT_MODEL, type AgentChats } from '../agents/index.ts';
import type { ChatInference } from '../inference/index.ts';
import type { Actor } from '../kernel/actor.ts';
import { invalidRequest } from '../kernel/errors.ts';
import { toJsonText } from '../kernel/json-text.ts';
import type { CallPriority } from '../kernel/priority.ts';
import type { Fields } from './chat-body.ts';
import type { AdmittedChat, TurnListener } from './admitted-chat.ts';

/** Agents that answer in place of models, for callers to whom they are models. */
export type ResponseAgents = Pick<AgentChats, 'open' | 'takesFiles' | 'cancelLasting'>;

// Agents as models: a response that one answers is a chat with it, in the form of responses.

/** Whether the model of a request is an agent. */
export const namesAgent = ({ model }: { readonly model?: string | null | undefined }): boolean =>
  model?.startsWith(AGENT_MODEL) === true;

/** Names a response that is made in the background. */
export const lastingName = (id: string): string => `response/${id}`;

/** Throws StudioError `invalid_request` for tools of the caller: an agent has its own. */
export function refuseTools(tools: readonly unknown[] | null | undefined): void {
  if (tools && tools.length > 0)
    throw invalidRequest('tools: an agent calls its own tools alone, none of its callers; leave tools out', 'tools');
}

const asAnnotation = ({ url_citation: { url, title, start_index, end_index } }: UrlCitation): Annotation => ({
  type: 'url_citation',
  url,
  title,
  start_index,
  end_index,
});

/** Fields of a response by those of the chat that they became. */
const fieldNames: Readonly<Record<string, string>> = {
  max_tokens: 'max_output_tokens',
  reasoning_effort: 'reasoning.effort',
  logprobs: 'top_logprobs',
  parallel_tool_calls: 'parallel_tool_calls',
};

/** Names of fields that change nothing of what an agent answers, as the request calls them. */
function ignoredOf(request: ResponseRequest, ignored: readonly string[]): readonly string[] {
  const system = request.instructions ? 'instructions' : 'input.system';
  const names = ignored.map((name) => (name === 'messages.system' ? system : (fieldNames[name] ?? name)));
  return [...new Set([...names, ...(request.max_tool_calls ? ['max_tool_calls'] : [])])].filter(
    (name) => name !== 'seed',
  );
}

export interface AgentTurn {
  readonly actor: Actor;
  readonly request: ResponseRequest;
  /** Names the response where another process may begin it again; null where none does. */
  readonly lasting: string | null;
  /** How soon models are to serve it; `interactive` where it is undefined. */
  readonly priority: CallPriority | undefined;
  /** Counts the request against the limits; what the models of the agent take is counted by its run. */
  readonly inference: ChatInference;
}

/** Opens the one turn in which an agent answers. Rejects with StudioError, in terms of the chat. */
export async function admitAgent(
  agents: Pick<ResponseAgents, 'open'>,
  { actor, request, lasting, priority, inference }: AgentTurn,
  body: Fields,
): Promise<AdmittedChat> {
  const chat = await agents.open(actor, body);
  if (chat === null) throw invalidRequest('The model is not an agent', 'model');
  await inference.countRequest();
  // It goes on in another process where this one ends, which must not begin it anew.
  const options = { priority, ...(lasting === null ? {} : { lasting }) };
  return {
    inference,
    model: chat.model,
    ignored: ignoredOf(request, chat.ignored),
    isAgent: true,
    run({ take, sources }: TurnListener, done) {
      const told = {
        text: (text: string) => take({ type: 'text', choice: 0, channel: 'content', json: toJsonText(text) }),
        sources(annotations: readonly UrlCitation[]) {
          sources(annotations.map(asAnnotation));
          take({ type: 'finish', choice: 0, reason: 'stop', stop: null });
        },
      };
      return chat.tell(told, done, options);
    },
  };
}
