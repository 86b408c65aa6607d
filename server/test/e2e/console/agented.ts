import type { AgentSessions } from '@ai-studio/contract/console/agent-talks.ts';
import type { AgentDetails } from '@ai-studio/contract/console/agents.ts';
import type { Person } from '../../support/browser.ts';
import { callConsole } from './studio.ts';

/** An agent that has been worked with: deployed, talked with, and changed again, which waits for approval. */
export interface Agented {
  readonly id: string;
  readonly slug: string;
  readonly reviewId: string;
  /** A trial of the administrator, and a talk of the user. */
  readonly trial: number;
  readonly talk: number;
}

interface Of {
  readonly admin: Person;
  readonly user: Person;
  /** Collection that it searches. */
  readonly collection: string;
}

const definition = (collection: string, greeting: string) => ({
  schema: 1,
  nodes: [
    { kind: 'input', id: 'input', files: true, greeting, examples: ['How many days of leave are there?'] },
    { kind: 'retrieve', id: 'search', name: 'Search the rules', collections: [collection] },
    { kind: 'model', id: 'write', model: 'CORE-GOV', passages: ['search.passages'] },
    { kind: 'answer', id: 'answer', text: '{{write.text}}' },
  ],
  edges: [
    { from: 'input', to: 'search' },
    { from: 'search', to: 'write' },
    { from: 'write', to: 'answer' },
  ],
});

/** Makes an agent of the collection, with sessions, versions and a review that waits. */
export async function makeAgent({ admin, user, collection }: Of): Promise<Agented> {
  const must = async <T>(person: Person, method: string, path: string, body?: object): Promise<T> => {
    const answer = await callConsole(person, method, path, body);
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body as T;
  };
  const made = await must<AgentDetails>(admin, 'POST', '/agents', {
    name: 'Questions about leave',
    description: 'Answers from the rules of the house',
    definition: definition(collection, 'Ask about **leave**.'),
  });
  const { id, slug } = made;
  const submit = async (revision: number, note: string) =>
    (await must<AgentDetails>(admin, 'POST', `/agents/${id}/submit`, { revision, note })).review;
  const first = await submit(made.revision, 'The first one');
  await must(admin, 'POST', `/agents/${id}/approve`, { review_id: first?.id, hash: first?.hash });
  const text = 'How many days of leave are there?';
  await must(admin, 'POST', `/agents/${id}/runs`, { text, what: 'draft' });
  await must(user, 'POST', `/deployed-agents/${slug}/runs`, { text });
  const changed = await must<AgentDetails>(admin, 'PATCH', `/agents/${id}`, {
    draft: definition(collection, 'Ask about leave and pensions.'),
    revision: (await must<AgentDetails>(admin, 'GET', `/agents/${id}`)).revision,
  });
  const second = await submit(changed.revision, 'With pensions');
  const newest = async (person: Person, path: string) =>
    (await must<ReturnType<typeof AgentSessions.parse>>(person, 'GET', path)).items[0]?.id ?? 0;
  return {
    id,
    slug,
    reviewId: second?.id ?? '',
    trial: await newest(admin, `/agents/${id}/sessions`),
    talk: await newest(user, `/deployed-agents/${slug}/sessions`),
  };
}
