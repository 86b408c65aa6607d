import type { ReadinessCheck } from '../http/index.ts';
import type { Calls } from '../inference/index.ts';
import type { OpenAgents } from './agents.ts';
import type { Documents } from './documents.ts';
import type { OpenEngines } from './engines.ts';
import type { OpenedLimiter } from './limiter.ts';
import type { LocalModels } from './local-models.ts';
import type { OpenPrivacy } from './privacy.ts';
import type { Retrieval } from './retrieval.ts';
import type { OpenSpeech } from './speech.ts';
import type { Data } from './store.ts';
import type { OpenUsage } from './usage.ts';

/** The parts that both the console and the public interface work with. */
export interface OpenedParts {
  readonly data: Data;
  readonly usage: OpenUsage;
  readonly limits: OpenedLimiter;
  readonly calls: Calls;
  readonly engines: OpenEngines;
  readonly models: LocalModels;
  readonly speech: OpenSpeech;
  readonly privacy: OpenPrivacy;
  readonly documents: Documents;
  readonly retrieval: Retrieval;
  readonly agents: OpenAgents;
  readonly checks: readonly ReadinessCheck[];
}
