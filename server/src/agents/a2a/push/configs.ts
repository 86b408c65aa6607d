import { sql } from 'kysely';
import { hexId } from '../../../kernel/ids.ts';
import type { SecretBox } from '../../../kernel/secret-box.ts';
import type { AddressCheck } from '../../../net-guard/index.ts';
import type { Database } from '../../../ports/database.ts';
import type { PushConfigInput } from '../calls.ts';
import type { AgentContext } from '../context.ts';
import { A2aError } from '../errors.ts';
import type { A2aWire } from '../form.ts';

// Where callers want to be told of their tasks. Secrets are sealed, and bound to their task.

/** Most addresses of one task. */
const MAX_CONFIGS = 10;
/** What an HTTP header can carry. */
const HEADER_VALUE = /^[\t\u0020-\u007e\u0080-\u00ff]*$/;
const SCHEME = /^[A-Za-z][A-Za-z0-9!#$%&'*+.^_`|~-]{0,99}$/;

export interface PushSecrets {
  readonly token: string | null;
  readonly authentication: PushConfigInput['authentication'];
}

export interface PushConfig extends PushConfigInput {
  readonly id: string;
}

export const sealedFor = (runId: string, id: string) => `agent push ${runId} ${id}`;

interface ConfigDeps {
  readonly db: Database;
  readonly box: SecretBox;
  /** Where an address leads. */
  readonly checkAddress: AddressCheck;
}

const missing = () => new A2aError('params', 'The task has no such push notification config');

const refuse = (field: string, why: string) => new A2aError('params', `Push notification config: ${field} ${why}`);

function requireSendable({ scheme, credentials }: NonNullable<PushConfigInput['authentication']>): void {
  if (!SCHEME.test(scheme)) throw refuse('authentication', 'names no HTTP authentication scheme');
  if (!HEADER_VALUE.test(credentials ?? '')) throw refuse('authentication.credentials', 'do not fit into a header');
}

export function createPushConfigs({ db, box, checkAddress }: ConfigDeps) {
  const secretsOf = (runId: string, id: string, sealed: string): PushSecrets =>
    JSON.parse(box.open(sealed, sealedFor(runId, id))) as PushSecrets;

  const rowsOf = ({ actor, agent }: AgentContext, runId: string) =>
    db.query
      .selectFrom('agent_push_configs')
      .select(['id', 'url', 'secrets'])
      .where('run_id', '=', runId)
      .where('tenant_id', '=', actor.tenantId)
      .where('agent_id', '=', agent.agent.id)
      .orderBy('created_at')
      .orderBy('id');

  const toConfig = (runId: string, { id, url, secrets }: { id: string; url: string; secrets: string }): PushConfig => ({
    id,
    url,
    ...secretsOf(runId, id, secrets),
  });

  return {
    secretsOf,
    /**
     * Rejects with A2aError `params` for what could never be told: a name that is none, or leads into a private network, too. A name that
     * nobody can look up now is taken: where it leads is looked at each time it is used.
     */
    async check({ url, token, authentication }: PushConfigInput): Promise<void> {
      const parsed = URL.canParse(url) ? new URL(url) : null;
      if (parsed === null) throw refuse('url', 'is no address');
      const plain = parsed.protocol === 'http:';
      if (parsed.protocol !== 'https:' && !plain) throw refuse('url', 'must be an https address');
      if (parsed.username !== '' || parsed.password !== '') throw refuse('url', 'must not hold a password');
      if (token !== null && !HEADER_VALUE.test(token)) throw refuse('token', 'does not fit into a header');
      if (authentication !== null) requireSendable(authentication);
      const result = await checkAddress(parsed);
      if (plain && result !== 'opened') throw refuse('url', 'must be an https address');
      if (result === 'closed') throw refuse('url', 'must lead to a public address');
    },
    /** Adds an address, or changes the one of that id. It is told of what has not been told to it. */
    async set(
      { actor, agent }: AgentContext,
      runId: string,
      order: PushConfigInput,
      { form, door }: A2aWire,
    ): Promise<PushConfig> {
      const id = order.id ?? hexId();
      const { url, token, authentication } = order;
      const secrets = box.seal(JSON.stringify({ token, authentication } satisfies PushSecrets), sealedFor(runId, id));
      await db.transaction(async (tx) => {
        // One after the other: each counts those before it. The run itself is not held, since it is written to all the time.
        await sql`SELECT pg_advisory_xact_lock(hashtextextended(${`agent push ${runId}`}, 0))`.execute(tx);
        const others = await tx
          .selectFrom('agent_push_configs')
          .select('id')
          .where('run_id', '=', runId)
          .where('id', '!=', id)
          .execute();
        if (others.length >= MAX_CONFIGS)
          throw new A2aError('params', `A task has at most ${MAX_CONFIGS} push notification configs`);
        await tx
          .insertInto('agent_push_configs')
          .values({ run_id: runId, id, tenant_id: actor.tenantId, agent_id: agent.agent.id, form, door, url, secrets })
          .onConflict((conflict) =>
            conflict.columns(['run_id', 'id']).doUpdateSet({ form, door, url, secrets, attempts: 0, failure: null }),
          )
          .execute();
      });
      return { ...order, id };
    },
    /** Of one id; without one the first. Throws A2aError `params`. */
    async get(ctx: AgentContext, runId: string, id: string | null): Promise<PushConfig> {
      const row = await rowsOf(ctx, runId)
        .$if(id !== null, (query) => query.where('id', '=', id ?? ''))
        .executeTakeFirst();
      if (row === undefined) throw missing();
      return toConfig(runId, row);
    },
    async list(ctx: AgentContext, runId: string): Promise<PushConfig[]> {
      return (await rowsOf(ctx, runId).execute()).map((row) => toConfig(runId, row));
    },
    /** Throws A2aError `params` where there is none. */
    async delete({ actor, agent }: AgentContext, runId: string, id: string): Promise<void> {
      const { numDeletedRows } = await db.query
        .deleteFrom('agent_push_configs')
        .where('run_id', '=', runId)
        .where('id', '=', id)
        .where('tenant_id', '=', actor.tenantId)
        .where('agent_id', '=', agent.agent.id)
        .executeTakeFirst();
      if (numDeletedRows === 0n) throw missing();
    },
  };
}
export type PushConfigs = ReturnType<typeof createPushConfigs>;
