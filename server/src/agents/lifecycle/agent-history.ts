import type { AgentHistory } from '@ai-studio/contract/console/agents.ts';
import type { Transaction } from 'kysely';
import { type AuditedContext, writeAudit } from '../../identity/index.ts';
import type { Tables } from '../../ports/database.ts';
import type { AgentRow, VersionRow } from './rows.ts';

type HistoryAction = AgentHistory['items'][number]['action'];

interface RecordedAction {
  readonly action: HistoryAction;
  readonly version?: Pick<VersionRow, 'number' | 'hash'>;
  readonly reason?: string;
}

export const targetOf = ({ id, name }: Pick<AgentRow, 'id' | 'name'>) => ({ kind: 'agent', id, name });

/** Writes down what was done with an agent, in its history and in the audit log, within the transaction that did it. */
export async function recordAction(
  tx: Transaction<Tables>,
  { auditActor, actor: { tenantId, userId } }: AuditedContext,
  agent: Pick<AgentRow, 'id' | 'name' | 'slug'>,
  { action, version, reason }: RecordedAction,
): Promise<void> {
  await tx
    .insertInto('agent_history')
    .values({
      agent_id: agent.id,
      tenant_id: tenantId,
      action,
      version_number: version?.number ?? null,
      reason: reason ?? null,
      made_by: userId,
    })
    .execute();
  await writeAudit(tx, auditActor, {
    action: `agent_${action}`,
    target: targetOf(agent),
    detail: {
      slug: agent.slug,
      ...(version === undefined ? {} : { version: version.number, hash: version.hash }),
      ...(reason === undefined ? {} : { reason }),
    },
  });
}
