import type { AgentDefinition } from '@ai-studio/contract/agents/definition.ts';
import type { AgentDetails } from '@ai-studio/contract/console/agents.ts';
import type { Page } from 'playwright-core';
import type { Person } from '../../support/browser.ts';
import { visit } from './moves.ts';
import { callConsole } from './studio.ts';

/** The builder as a person sees it. */
export function builderOf(person: Person) {
  const { page } = person;
  const nodes = () => page.locator('.react-flow__node');
  return {
    nodes,
    node: (id: string) => page.locator(`.react-flow__node[data-id="${id}"]`),
    saved: () => page.locator('[data-testid=saved-state][data-state=saved]').waitFor(),
    /** An agent that is nothing but its start, unless more is said. */
    async newAgent(name: string, more: object = {}): Promise<string> {
      const definition = { schema: 1, nodes: [{ id: 'input', kind: 'input', position: { x: 0, y: 0 } }], edges: [] };
      const { status, body } = await callConsole(person, 'POST', '/agents', { name, definition, ...more });
      if (status !== 201) throw new Error(`${status} ${JSON.stringify(body)}`);
      return (body as AgentDetails).id;
    },
    read: async (id: string) => (await callConsole(person, 'GET', `/agents/${id}`)).body as AgentDetails,
    async open(id: string): Promise<void> {
      await visit(page, `/console/agents/${id}/build`);
      await nodes().first().waitFor();
    },
  };
}

/** Resolves when the canvas and its nodes have stopped where they are: what moves away is not met by a mouse. */
export const still = (page: Page): Promise<void> =>
  page.evaluate(`(async () => {
    const places = () =>
      [...document.querySelectorAll('.react-flow__viewport, .react-flow__node')].map((one) => one.style.transform).join();
    let [last, frames] = ['', 0];
    while (frames < 30) {
      await new Promise(requestAnimationFrame);
      const now = places();
      frames = now === last ? frames + 1 : 0;
      last = now;
    }
  })()`);

/** Keeps the line of the next run of an agent open for a second after its last event, as a busy machine may. */
export const keepLinesOpen = (page: Page): Promise<void> =>
  page.evaluate(`{
    const real = fetch;
    const late = () => new TransformStream({ flush: () => new Promise((done) => setTimeout(done, 1_000)) });
    window.fetch = async (url, options) => {
      const response = await real(url, options);
      if (!/\\/runs$/.test(url)) return response;
      window.fetch = real;
      return new Response(response.body.pipeThrough(late()), response);
    };
  }`);

/** Edges as `from>to`, or `from:branch>to`. */
export const edgesOf = ({ edges }: AgentDefinition): readonly string[] =>
  edges.map(({ from, to, branch }) => `${from}${branch === undefined ? '' : `:${branch}`}>${to}`).toSorted();
