import { z } from 'zod';
import { Role } from './roles.ts';
import { Email, PersonName } from './session.ts';

/** A row of GET /users: people of the tenant. */
export const Person = z.object({
  id: z.string(),
  email: z.string(),
  name: z.string(),
  role: Role,
  state: z.enum(['active', 'invited', 'disabled']).describe('Disabled: in this tenant'),
  second_factor: z.boolean(),
  last_seen_at: z.iso.datetime().nullable(),
  created_at: z.iso.datetime(),
  /** False where the person belongs to other tenants too: then only they or the operator reset the password. */
  resettable: z.boolean(),
});
export type Person = z.infer<typeof Person>;
export const PersonList = z.object({ items: z.array(Person) });

/** POST /users: invites a person. */
export const NewPerson = z.object({ email: Email, name: PersonName, role: Role });
/** A link that works once; shown once, as there need not be a mail server. */
export const OneTimeLink = z.object({ url: z.string(), expires_at: z.iso.datetime() });
export type OneTimeLink = z.infer<typeof OneTimeLink>;
export const InvitedPerson = z.object({ user: Person, link: OneTimeLink });
/** POST /users/{id}/email: another address to sign in with, for who is `resettable` or disabled. */
export const PersonEmail = z.object({ email: Email }).strict();
/** PATCH /users/{id}. */
export const PersonChange = z
  .object({ role: Role, state: z.enum(['active', 'disabled']) })
  .partial()
  .strict();

/** A row of GET /tenants, for the platform operator. */
export const Tenant = z.object({
  id: z.string(),
  name: z.string(),
  created_at: z.iso.datetime(),
  users: z.int(),
  keys: z.int(),
});
export type Tenant = z.infer<typeof Tenant>;
export const TenantList = z.object({ items: z.array(Tenant) });
/** POST /tenants: a tenant and the invitation of its first administrator. */
export const NewTenant = z.object({ name: z.string().trim().min(1).max(100), email: Email, admin_name: PersonName });
export const MadeTenant = z.object({ tenant: Tenant, link: OneTimeLink });
export const TenantChange = z.object({ name: z.string().trim().min(1).max(100) });
