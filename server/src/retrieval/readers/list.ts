import type { DocumentReader, DocumentReaders } from '@ai-studio/contract/console/readers.ts';
import type { Actor } from '../../kernel/actor.ts';
import type { DatabaseDeps } from '../../ports/database.ts';
import { requireOwner } from '../collections/rows.ts';
import { type DocumentAddress, findDocument } from '../documents/rows.ts';
import { membersOfList } from './groups.ts';

/** Readers that are shown. */
const MAX_SHOWN = 500;

/** Who may read a document, for whoever may change its collection. Throws StudioError `not_found`, `forbidden`. */
export async function listReaders(
  { db: { query } }: DatabaseDeps,
  actor: Actor,
  address: DocumentAddress,
): Promise<DocumentReaders> {
  const document = await findDocument(query, actor, address);
  requireOwner(actor, document);
  if (document.readers === null) return { everybody: true, items: [], total: 0 };
  const names = await membersOfList(query, document.readers);
  const shown = names.slice(0, MAX_SHOWN);
  const groups = await query
    .selectFrom('reader_groups')
    .select(['name', 'title', 'members'])
    .where('name', 'in', shown.concat(''))
    .where('tenant_id', '=', actor.tenantId)
    .execute();
  const people = await query
    .selectFrom('memberships')
    .innerJoin('users', 'users.id', 'memberships.user_id')
    .select(['memberships.proven_email', 'users.name'])
    .where('memberships.tenant_id', '=', actor.tenantId)
    .where('memberships.state', '=', 'active')
    .where('memberships.proven_email', 'in', shown.map((name) => name.replace(/^user:/, '')).concat(''))
    .execute();
  const groupOf = new Map(groups.map((group) => [group.name, group]));
  const personOf = new Map(people.map(({ proven_email: email, name }) => [`user:${email}`, name]));
  const items = shown.map((name): DocumentReader => {
    const group = groupOf.get(name);
    if (name.startsWith('group:'))
      return {
        kind: 'group',
        name: group?.title ?? name.replace(/^group:[^/]*\//, ''),
        person: null,
        members: group?.members?.length ?? null,
      };
    const kind = name.startsWith('user:') ? 'person' : 'domain';
    return { kind, name: name.replace(/^\w+:/, ''), person: personOf.get(name) ?? null, members: null };
  });
  return { everybody: false, items, total: names.length };
}
