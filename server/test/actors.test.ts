import { parseSync } from 'oxc-parser';
import { expect, test } from 'vitest';
import { type Node, readSources, walk } from './support/modules.ts';

// Who acts is said once, by the types of the kernel. A feature that adds a type of its own for it would have to be told of every
// new right and limit.
const KERNEL = 'server/src/kernel/actor.ts';
const kernelTypes = new Set(['Principal', 'Person', 'Actor', 'PersonActor', 'CallContext']);

/** Types that name a tenant and a person or a key, and are nobody who acts within rights: rows, lines of logs, sessions. */
const exempt = [
  'server/src/http-kit/request-log-entry.ts: RequestLogEntry',
  'server/src/identity/audit-actor.ts: AuditActor',
  'server/src/identity/links/one-time-links.ts: NewLink',
  'server/src/identity/login/sign-in.ts: SignIn',
  'server/src/identity/sessions/open-session.ts: NewSession',
  'server/src/identity/signed-in.ts: SignedIn',
  'server/src/parsing/jobs/record.ts: NewParse',
  'server/src/usage/usage-row.ts: UsageRow',
];

const listOf = (value: unknown): readonly Node[] => (Array.isArray(value) ? (value as Node[]) : []);
const nameOf = (value: unknown): string => String((value as Node | undefined)?.['name']);
const propertiesOf = (members: unknown) =>
  listOf(members).flatMap((one) => (one['type'] === 'TSPropertySignature' ? [nameOf(one['key'])] : []));

/** Whether an object of these properties says for which tenant somebody acts, and who. */
const saysWho = (members: unknown): boolean => {
  const names = propertiesOf(members);
  return names.includes('tenantId') && (names.includes('userId') || names.includes('keyId'));
};

/** The types of a file that say who acts: interfaces and aliases by their name, others as `{…}`, parts of the kernel's as `Pick`. */
function callersIn(path: string, text: string): string[] {
  const found: string[] = [];
  const named = new Set<unknown>();
  walk(parseSync(path, text).program.body, (node) => {
    const { type, id } = node;
    if (type === 'TSInterfaceDeclaration' && saysWho((node['body'] as Node)['body'])) found.push(nameOf(id));
    const alias = type === 'TSTypeAliasDeclaration' ? (node['typeAnnotation'] as Node) : null;
    if (alias?.['type'] === 'TSTypeLiteral' && saysWho(alias['members'])) {
      found.push(nameOf(id));
      named.add(alias);
    }
    if (type === 'TSTypeLiteral' && !named.has(node) && saysWho(node['members'])) found.push('{…}');
    if (type !== 'TSTypeReference' || nameOf(node['typeName']) !== 'Pick') return;
    const [of] = listOf((node['typeArguments'] as Node | undefined)?.['params']);
    if (kernelTypes.has(nameOf(of?.['typeName']))) found.push('Pick');
  });
  return found;
}

test('nobody but the kernel says who acts', () => {
  const named = readSources('server/src').filter(({ text }) => /tenantId|Pick</.test(text));
  const all = named.flatMap(({ path, text }) => callersIn(path, text).map((name) => `${path}: ${name}`));
  expect(all.filter((one) => !one.startsWith(KERNEL)).toSorted()).toEqual(exempt);
  expect(all).toContain(`${KERNEL}: Principal`);
});

test('a type of somebody who acts is seen in every form', () => {
  const seen = (text: string) => callersIn('x.ts', text);
  expect(seen('export interface Caller { readonly tenantId: TenantId; readonly keyId: string | null }')).toEqual([
    'Caller',
  ]);
  expect(seen('type Owner = { tenantId: TenantId; userId?: string }')).toEqual(['Owner']);
  expect(seen('const f = ({ tenantId }: { tenantId: TenantId; userId: string }) => tenantId')).toEqual(['{…}']);
  expect(seen("const f = ({ keyId }: Pick<Actor, 'keyId'>) => keyId")).toEqual(['Pick']);
  expect(seen('interface Servers { list(tenantId: TenantId, userId: string): void; readonly userId: string }')).toEqual(
    [],
  );
});
