import {
  NewPrompt,
  Prompt,
  PromptChange,
  PromptPage,
  PromptQuery,
  PromptVersions,
} from '@ai-studio/contract/console/prompts.ts';
import { actorOf, contextOf } from '../console-kit/allowance.ts';
import { type ConsoleRoute, paramOf, tenantRoute } from '../console-kit/route.ts';
import type { AllowanceDeps } from '../identity/index.ts';
import { changePrompt, createPrompt, deletePrompt, getPrompt, listPrompts, listVersions } from './index.ts';

const PATH = '/prompts';
const ONE = `${PATH}/:id`;
// Whoever may share and change which is said by each prompt.
const access = 'chat';

/** Prompts of the person who asks, and those that are shared in their tenant. */
export function promptRoutes(deps: AllowanceDeps): ConsoleRoute[] {
  return [
    tenantRoute({
      method: 'GET',
      path: PATH,
      access,
      query: PromptQuery,
      reply: PromptPage,
      handle: async (call) => listPrompts(deps, await actorOf(deps, call), call.query),
    }),
    tenantRoute({
      method: 'POST',
      path: PATH,
      access,
      body: NewPrompt,
      reply: Prompt,
      async handle(call) {
        const made = await createPrompt(deps, await contextOf(deps, call), call.body);
        void call.reply.status(201);
        return made;
      },
    }),
    tenantRoute({
      method: 'GET',
      path: ONE,
      access,
      reply: Prompt,
      handle: async (call) => getPrompt(deps, await actorOf(deps, call), paramOf(call, 'id')),
    }),
    tenantRoute({
      method: 'PATCH',
      path: ONE,
      access,
      body: PromptChange,
      reply: Prompt,
      handle: async (call) => changePrompt(deps, await contextOf(deps, call), paramOf(call, 'id'), call.body),
    }),
    tenantRoute({
      method: 'DELETE',
      path: ONE,
      access,
      handle: async (call) => deletePrompt(deps, await contextOf(deps, call), paramOf(call, 'id')),
    }),
    tenantRoute({
      method: 'GET',
      path: `${ONE}/versions`,
      access,
      reply: PromptVersions,
      handle: async (call) => ({ items: await listVersions(deps, await actorOf(deps, call), paramOf(call, 'id')) }),
    }),
  ];
}
