import { NewSample, OwnSample, Sample } from '@ai-studio/contract/console/samples.ts';
import type { LifecycleDeps } from '../agents/index.ts';
import { actorOf, type CountedCalls, contextOf } from '../console-kit/allowance.ts';
import { type ConsoleRoute, tenantRoute } from '../console-kit/route.ts';
import type { Catalogue } from '../models/catalogue.ts';
import type { RetrievalDeps } from '../retrieval/index.ts';
import { createSample, findSample, removeSample, type SampleDeps } from './index.ts';

/** Dependencies of the routes of samples. */
export interface SampleRouteDeps extends CountedCalls {
  readonly catalogue: Catalogue;
  readonly agents: Pick<LifecycleDeps, 'servers' | 'files'>;
  readonly collections: { readonly retrieval: RetrievalDeps; readonly folder: string };
}

const PATH = '/sample';
const access = 'agents.build';

/** GET, POST and DELETE /sample: what a person tries things with. */
export function sampleRoutes({ db, catalogue, agents, collections, ...deps }: SampleRouteDeps): ConsoleRoute[] {
  const samples: SampleDeps = { agents: { db, catalogue, ...agents }, ...collections };
  const allowance = { db, catalogue, ...deps };
  return [
    tenantRoute({
      method: 'GET',
      path: PATH,
      access,
      reply: OwnSample,
      handle: async (call) => ({ sample: await findSample({ db }, await actorOf(allowance, call)) }),
    }),
    tenantRoute({
      method: 'POST',
      path: PATH,
      access,
      body: NewSample,
      reply: Sample,
      async handle(call) {
        const made = await createSample(samples, await contextOf(allowance, call), call.body.language);
        void call.reply.status(201);
        return made;
      },
    }),
    tenantRoute({
      method: 'DELETE',
      path: PATH,
      access,
      handle: async (call) => removeSample(samples, await contextOf(allowance, call)),
    }),
  ];
}
