import { Email, NewPassword, PersonName } from '@ai-studio/contract/console/session.ts';
import { type Role, roles } from '@ai-studio/contract/console/roles.ts';
import { identityOf } from '../compose/identity.ts';
import { migrateStore, type Store } from '../compose/store.ts';
import { addressOf, type LoadedConfig } from '../config/index.ts';
import {
  createPerson,
  type IdentityDeps,
  linkUrl,
  listMemberships,
  type IssuedLink,
  createResetLink,
  type MembershipSummary,
  setEmail,
  setOperator,
} from '../identity/index.ts';
import type { Database } from '../ports/database.ts';
import { extractFlags, UsageError } from './args.ts';
import type { Command } from './command.ts';
import { formatTable, type Output } from './output.ts';
import { withDatabase } from './with-database.ts';

const userFlags = ['json', 'role', 'name', 'tenant', 'password-stdin', 'withdraw'] as const;
type UserFlags = Readonly<Partial<Record<(typeof userFlags)[number], string | true>>>;

const actions = ['create', 'reset', 'email', 'operator', 'list'] as const;
const USAGE =
  'Use "studio user create EMAIL", "studio user reset EMAIL", "studio user email EMAIL NEW_EMAIL", "studio user operator EMAIL" or "studio user list".';

function emailOf(text: string | undefined): string {
  const email = Email.safeParse(text?.trim());
  if (!email.success) throw new UsageError('Give the e-mail address of the person, such as mina@example.kr.');
  return email.data;
}

function roleOf(text: string | true | undefined): Role {
  if (text === undefined) return 'user';
  const role = roles.find((known) => known === text);
  if (!role) throw new UsageError(`--role must be ${roles.join(', ')}.`);
  return role;
}

function nameOf(text: string | true | undefined, email: string): string {
  const name = PersonName.safeParse(text ?? email.split('@')[0]);
  if (!name.success) throw new UsageError('--name must have 1 to 100 characters.');
  return name.data;
}

function tenantOf(text: string | true | undefined): string | null {
  if (text === undefined) return null;
  if (text === true || text.trim() === '') throw new UsageError('Give the name or the id of a tenant: --tenant=Sales.');
  return text.trim();
}

/** The first line of the standard input, so that the password stands in no list of processes. */
async function readPassword(): Promise<string> {
  let text = '';
  for await (const part of process.stdin.setEncoding('utf8')) text += String(part);
  const password = NewPassword.safeParse(text.split(/\r?\n/)[0]);
  if (!password.success) throw new UsageError('The password on the standard input must have 10 to 200 characters.');
  return password.data;
}

/** Does the work with the schema brought up to date. */
const withIdentity = <T>(loaded: LoadedConfig, out: Output, work: (deps: IdentityDeps) => Promise<T>): Promise<T> =>
  withDatabase(loaded, out, async (database: Database, store: Store) => {
    await migrateStore(database, {
      copyRows: store.copyRows,
      config: loaded.config,
      onProgress: (message) => out.note(`▸ ${message}`),
    });
    return work(identityOf(loaded.config, database));
  });

function printLink(out: Output, { config }: LoadedConfig, link: IssuedLink, email: string): void {
  out.note(`Give ${email} this link. It works once, until ${link.expiresAt.toISOString().slice(0, 16)} UTC:`);
  out.print(linkUrl(addressOf(config), link));
}

async function create(given: string | undefined, flags: UserFlags, loaded: LoadedConfig, out: Output): Promise<void> {
  const email = emailOf(given);
  const role = roleOf(flags.role);
  const name = nameOf(flags.name, email);
  const tenant = tenantOf(flags.tenant);
  const password = flags['password-stdin'] === undefined ? null : await readPassword();
  const link = await withIdentity(loaded, out, (deps) => createPerson(deps, { email, name, role, password, tenant }));
  if (link) printLink(out, loaded, link, email);
  else out.print(`Made ${email} (${role}).`);
}

const row = ({ email, name, tenant, role, state, operator }: MembershipSummary) => [
  email,
  name,
  tenant,
  operator ? `${role}, operator` : role,
  state,
];

function printPeople(people: readonly MembershipSummary[], json: boolean, out: Output): void {
  if (json) out.print(JSON.stringify(people, null, 2));
  else if (people.length === 0)
    out.print('There is nobody. "studio user create EMAIL --role=administrator" makes one.');
  else out.print(formatTable([['EMAIL', 'NAME', 'TENANT', 'ROLE', 'STATE'], ...people.map(row)]));
}

export const user: Command = async ({ line, out, load }) => {
  const { own, rest } = extractFlags(line, userFlags);
  const [action, email, other] = line.positionals;
  if (!actions.some((known) => known === action)) throw new UsageError(USAGE);
  const loaded = load(rest);
  if (action === 'create') await create(email, own, loaded, out);
  else if (action === 'list')
    printPeople(await withIdentity(loaded, out, ({ db }) => listMemberships(db)), own.json === true, out);
  else if (action === 'email') {
    const [from, to] = [emailOf(email), emailOf(other)];
    await withIdentity(loaded, out, (deps) => setEmail(deps, from, to));
    out.print(`${from} signs in as ${to} from now on; open sessions have ended.`);
  } else if (action === 'operator') {
    const whose = emailOf(email);
    const operator = own.withdraw === undefined;
    await withIdentity(loaded, out, (deps) => setOperator(deps, whose, operator));
    out.print(operator ? `${whose} is a platform operator.` : `${whose} is no platform operator.`);
  } else {
    const whose = emailOf(email);
    printLink(out, loaded, await withIdentity(loaded, out, (deps) => createResetLink(deps, whose)), whose);
  }
  return 0;
};
