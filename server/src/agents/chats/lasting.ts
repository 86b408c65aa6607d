import type { TenantId } from '../../kernel/context.ts';
import { StudioError } from '../../kernel/errors.ts';
import type { Database } from '../../ports/database.ts';
import type { AgentRuns, RunRequest } from '../runs/types.ts';

// Chats that outlive the process that asked: their names lead to the runs that they began.

/** The message of a chat that lasts: whoever asks under its name again joins the run. */
export const lastingMessage = (name: string): NonNullable<RunRequest['message']> => ({
  id: name,
  hash: name,
  always: true,
});

interface LastingDeps {
  readonly db: Database;
  readonly runs: Pick<AgentRuns, 'cancel'>;
}

/** Ends the run that a lasting chat with an agent of the tenant began. One that has ended, or was never begun, is left alone. */
export async function cancelLasting(
  { db, runs }: LastingDeps,
  tenantId: TenantId,
  slug: string,
  name: string,
): Promise<void> {
  const begun = await db.query
    .selectFrom('agent_messages')
    .innerJoin('agents', 'agents.id', 'agent_messages.agent_id')
    .select(['agents.id', 'agent_messages.run_id'])
    .where('agents.tenant_id', '=', tenantId)
    .where('agents.slug', '=', slug)
    .where('agent_messages.message_id', '=', name)
    .executeTakeFirst();
  if (begun === undefined) return;
  await runs.cancel(tenantId, begun.id, begun.run_id).catch((error: unknown) => {
    const hasEnded = error instanceof StudioError && (error.code === 'conflict' || error.code === 'not_found');
    if (!hasEnded) throw error;
  });
}
