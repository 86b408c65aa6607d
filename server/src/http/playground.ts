import type { Console } from '../console/index.ts';
import type { Actor, Person } from '../kernel/actor.ts';
import { StudioError } from '../kernel/errors.ts';
import type { NodeExchange } from '../http-kit/node-exchange.ts';
import type { ChatCaller } from '../inference/routes.public/index.ts';

/** Where the playground's calls go: the chat endpoint with the session as the credential. */
export const PLAYGROUND_PATH = '/console/api/chat/completions';

export interface PlaygroundDeps {
  readonly console: Pick<Console, 'authenticate' | 'follow'>;
  readonly personActor: (person: Person) => Promise<Actor>;
}

/** The person behind a call of the playground, as the chat endpoint takes callers. Rejects with StudioError. */
export function createPlaygroundCaller({ console, personActor }: PlaygroundDeps) {
  return async ({ request, response }: NodeExchange): Promise<ChatCaller> => {
    const person = await console.authenticate(request, 'playground');
    const { tenantId, userId } = person;
    if (tenantId === null) throw new StudioError('forbidden', 'Enter a tenant first', { reason: 'role_missing' });
    return {
      actor: await personActor({ tenantId, keyId: null, userId }),
      // The console reads tool calls in the common form.
      toolStream: 'openai',
      accessLost: console.follow(request, response, person, 'playground'),
    };
  };
}
