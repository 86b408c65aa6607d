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

/** Types of somebody who acts, those of the audit log too. */
const actingTypes = new Set([...kernelTypes, 'AuditActor', 'TenantAuditActor', 'AuditedContext']);
/** What says of what an act is, and so comes after who acts. */
const inputTypes = new Set(['TSStringKeyword', 'TSNumberKeyword', 'TenantId', 'Buffer']);

/** The name of a parameter's type; the kind of the type where it has none. */
function typeOf(parameter: Node | undefined): string {
  const pattern = parameter?.['type'] === 'AssignmentPattern' ? (parameter['left'] as Node) : parameter;
  const annotation = pattern?.['typeAnnotation'] as Node | undefined;
  const type = annotation?.['typeAnnotation'] as Node | undefined;
  return type?.['type'] === 'TSTypeReference' ? nameOf(type['typeName']) : String(type?.['type']);
}

/** Lines of a file with a function or a method that takes who acts neither first nor right after what it works with. */
function misplacedActorsIn(path: string, text: string): string[] {
  const found: string[] = [];
  walk(parseSync(path, text).program.body, (node) => {
    const types = listOf(node['params']).map(typeOf);
    const at = types.findIndex((type) => actingTypes.has(type));
    if (at > 1 || (at === 1 && inputTypes.has(types[0] ?? '')))
      found.push(`${path}:${text.slice(0, Number(node['start'])).split('\n').length}`);
  });
  return found;
}

test('who acts comes first, or right after the dependencies', () => {
  const sources = readSources('server/src').filter(({ text }) => /Principal|Person|Actor|Context/.test(text));
  expect(sources.flatMap(({ path, text }) => misplacedActorsIn(path, text))).toEqual([]);
  expect(sources.length).toBeGreaterThan(150);
});

test('who acts is found wherever they stand', () => {
  const found = (text: string) => misplacedActorsIn('x.ts', text);
  expect(found('function f({ db }: Deps, { tenantId }: Actor, id: string) {}')).toEqual([]);
  expect(found('const f = (ctx: CallContext<Person>, id: string) => id')).toEqual([]);
  expect(found('\nfunction f(deps: Deps, id: string, actor: Principal) {}')).toEqual(['x.ts:2']);
  expect(found('const f = (id: string, who: TenantAuditActor) => id')).toEqual(['x.ts:1']);
  expect(found('interface Verbs { add(name: string, actor: Person): void }')).toEqual(['x.ts:1']);
  expect(found('function f(deps: Deps, id: string, who: AuditActor = nobody) {}')).toEqual(['x.ts:1']);
});
