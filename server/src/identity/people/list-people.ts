import type { Person } from '@ai-studio/contract/console/people.ts';
import { sql } from 'kysely';
import type { TenantId } from '../../kernel/context.ts';
import type { Database } from '../../ports/database.ts';
import { noSuchPerson } from './memberships.ts';

interface Row {
  id: string;
  email: string;
  name: string;
  called: string;
  role: Person['role'];
  state: Person['state'];
  second_factor: boolean;
  seen_at: Date | null;
  created_at: Date;
  elsewhere: boolean;
  operator: boolean;
}

/** People of the tenant by name, or one of them. */
async function readPeople({ query }: Database, tenantId: TenantId, userId: string | null): Promise<Person[]> {
  const { rows } = await sql<Row>`
    SELECT u.id, u.email, u.name, m.name AS called, m.role, m.state, m.seen_at, m.created_at, u.operator,
      u.totp_confirmed_at IS NOT NULL OR EXISTS (SELECT 1 FROM passkeys p WHERE p.user_id = u.id) AS second_factor,
      EXISTS (SELECT 1 FROM memberships o WHERE o.user_id = u.id AND o.tenant_id <> m.tenant_id
        AND o.state <> 'invited') AS elsewhere
    FROM memberships m JOIN users u ON u.id = m.user_id
    WHERE m.tenant_id = ${tenantId} AND (${userId}::text IS NULL OR m.user_id = ${userId})
    ORDER BY lower(CASE m.state WHEN 'invited' THEN m.name ELSE u.name END), u.id`.execute(query);
  return rows.map(toPerson);
}

/** Of a person who has not joined yet, shows only what the tenant itself entered. */
function toPerson(row: Row): Person {
  const joined = row.state !== 'invited';
  return {
    id: row.id,
    email: row.email,
    name: joined ? row.name : row.called,
    role: row.role,
    state: row.state,
    second_factor: joined && row.second_factor,
    last_seen_at: joined ? (row.seen_at?.toISOString() ?? null) : null,
    created_at: row.created_at.toISOString(),
    resettable: row.state === 'active' && !row.elsewhere && !row.operator,
  };
}

export const listPeople = (db: Database, tenantId: TenantId): Promise<Person[]> => readPeople(db, tenantId, null);

/** One person of the tenant. Errors: `not_found`. */
export async function readPerson(db: Database, tenantId: TenantId, userId: string): Promise<Person> {
  const [person] = await readPeople(db, tenantId, userId);
  if (!person) throw noSuchPerson();
  return person;
}
