import { agentRequirements } from './requirements/agents.ts';
import { a2aRequirements } from './requirements/a2a.ts';
import { batchRequirements } from './requirements/batches.ts';
import { chatReplyRequirements } from './requirements/chat-reply.ts';
import { chatRequestRequirements } from './requirements/chat-request.ts';
import { commonRequirements } from './requirements/common.ts';
import type { Requirement } from './requirements/entry.ts';
import { mcpRequirements } from './requirements/mcp.ts';
import { messagesRequirements } from './requirements/messages.ts';
import { partRequirements } from './requirements/parts.ts';
import { privacyRequirements } from './requirements/privacy.ts';
import { responseRequirements } from './requirements/responses.ts';
import { retrievalRequirements } from './requirements/retrieval.ts';
import { serviceRequirements } from './requirements/service.ts';
import { speechRequirements } from './requirements/speech.ts';

/** Every behaviour that the interface and its decisions ask for, by id. Each must be cited by a test. */
export const requirements = {
  ...commonRequirements,
  ...chatRequestRequirements,
  ...chatReplyRequirements,
  ...responseRequirements,
  ...retrievalRequirements,
  ...serviceRequirements,
  ...agentRequirements,
  ...privacyRequirements,
  ...speechRequirements,
  ...a2aRequirements,
  ...mcpRequirements,
  ...messagesRequirements,
  ...batchRequirements,
  ...partRequirements,
} as const satisfies Record<string, Requirement>;

export type RequirementId = keyof typeof requirements;

/**
 * Says which behaviours a test shows. The call is found by reading the test sources, so ids stand in it as literals:
 * `covers('chat.request.temperature.range')`.
 */
export function covers(...ids: readonly RequirementId[]): void {
  for (const id of ids) if (!Object.hasOwn(requirements, id)) throw new Error(`no requirement has the id ${id}`);
}
