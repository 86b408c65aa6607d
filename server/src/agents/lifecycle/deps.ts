import type { ToolServer } from '@ai-studio/contract/console/agents.ts';
import type { Principal } from '../../kernel/actor.ts';
import type { Catalogue } from '../../models/catalogue.ts';
import type { Database } from '../../ports/database.ts';
import type { AgentFileStore } from '../files.ts';

/** What the verbs on agents work with. */
export interface LifecycleDeps {
  readonly db: Database;
  readonly catalogue: Catalogue;
  /** The tool servers of an actor's tenant. */
  readonly servers: (actor: Principal) => Promise<readonly Pick<ToolServer, 'id' | 'name' | 'kind' | 'tools'>[]>;
  /** The files that came with messages. */
  readonly files: Pick<AgentFileStore, 'removeOfAgent'>;
}
