import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Console } from '../console/index.ts';
import { type Allowance, personSubject } from '../conversations/index.ts';
import { StudioError } from '../kernel/errors.ts';
import type { TenantId } from '../kernel/context.ts';
import type { ChatCaller } from './chat.ts';

/** Where the playground's calls go: the chat endpoint with the session as the credential. */
export const PLAYGROUND_PATH = '/console/api/chat/completions';

export interface PlaygroundDeps {
  readonly console: Pick<Console, 'authenticate' | 'follow'>;
  readonly allowanceOf: (tenantId: TenantId) => Promise<Allowance>;
}

/** The person behind a call of the playground, as the chat endpoint takes callers. Rejects with StudioError. */
export function createPlaygroundCaller({ console, allowanceOf }: PlaygroundDeps) {
  return async (request: IncomingMessage, response: ServerResponse): Promise<ChatCaller> => {
    const person = await console.authenticate(request, 'playground');
    const { tenantId, userId } = person;
    if (tenantId === null) throw new StudioError('forbidden', 'Enter a tenant first', { reason: 'role_missing' });
    const { models, limits, guard } = await allowanceOf(tenantId);
    // The console reads tool calls in the common form.
    return {
      id: personSubject({ tenantId, userId }),
      tenantId,
      userId,
      allowedModels: models,
      limits,
      toolStream: 'openai',
      guard,
      mayNot: console.follow(request, response, person, 'playground'),
    };
  };
}
