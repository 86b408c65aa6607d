import {
  type AgentChats,
  createA2a,
  createAgentChats,
  createFetchFile,
  createPushConfigs,
  createSigner,
  startDelivery,
} from '../agents/index.ts';
import type { Surfaces } from '../http/index.ts';
import { createAddressCheck, createGuardedFetch, createGuardedRequest } from '../net-guard/index.ts';
import type { OpenAgents } from './agents.ts';
import type { OpenNetwork } from './network.ts';
import type { Base } from './parts.ts';
import type { SealedData } from './store.ts';

// The part of the composition by which agents are called from outside.

interface Deps extends SealedData, OpenNetwork, Pick<OpenAgents, 'runs' | 'files' | 'runFiles'> {
  /** Address that clients use. */
  readonly address: () => string;
}

/** Agents as models, for callers of chats. */
export const openAgentChats = ({ db, runs, files, address }: Omit<Deps, 'box' | 'hosts'>): AgentChats =>
  createAgentChats({
    db,
    runs,
    storeFile: (actor, agentId, file) => files.storeBytes(actor, { agentId, ...file }),
    address,
    now: Date.now,
  });

/** Opens A2A, and tells callers of their tasks. */
export function openA2a(
  { config, log, parts }: Base,
  { db, box, hosts, runs, files, runFiles, address }: Deps,
): Surfaces['agents'] {
  const allow = hosts.allowed;
  const push = createPushConfigs({ db, box, checkAddress: createAddressCheck({ allow }) });
  const signer = createSigner(box, address, Date.now);
  const request = createGuardedRequest({ allow });
  const { read: readFile } = runFiles;
  parts.own('delivery of tasks', startDelivery({ db, configs: push, request, signer, readFile, log }));
  const a2a = createA2a({
    db,
    runs,
    push,
    readFile,
    storeFile: (actor, agentId, file) => files.storeBytes(actor, { agentId, ...file }),
    fetchFile: createFetchFile(createGuardedFetch({ allow }), config.documents.upload_bytes),
  });
  return { a2a, db, runs, keySet: signer.keySet, configuredUrl: config.server.public_url ?? null };
}
