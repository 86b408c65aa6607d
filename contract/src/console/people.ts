import { z } from 'zod';
import { described, describedStrictly } from '../described.ts';
import { Role } from './roles.ts';
import { Email, PersonName } from './session.ts';

export const Person = described('A row of GET /users: a person of the tenant', {
  id: z.string(),
  email: z.string(),
  name: z.string(),
  role: Role,
  state: z.enum(['active', 'invited', 'disabled']).describe('disabled: in this tenant'),
  second_factor: z.boolean().describe('Whether a second factor is set up'),
  last_seen_at: z.iso.datetime().nullable(),
  created_at: z.iso.datetime(),
  resettable: z
    .boolean()
    .describe(
      'Whether an administrator may reset the password; false for members of other tenants, who do it themselves or ask the operator',
    ),
});
export type Person = z.infer<typeof Person>;
export const PersonList = described('People of the tenant', { items: z.array(Person) });

export const NewPerson = describedStrictly('Body of POST /users: invites a person', {
  email: Email,
  name: PersonName,
  role: Role,
});
export const OneTimeLink = described('A link that works once; it is shown once, because there may be no mail server', {
  url: z.string(),
  expires_at: z.iso.datetime(),
});
export type OneTimeLink = z.infer<typeof OneTimeLink>;
export const InvitedPerson = described('The person and the link to send', { user: Person, link: OneTimeLink });
export const PersonEmail = z
  .object({ email: Email })
  .strict()
  .describe(
    'Body of POST /users/{id}/email: another address to sign in with, for people who are resettable or disabled',
  );
export const PersonChange = z
  .object({ role: Role, state: z.enum(['active', 'disabled']) })
  .partial()
  .strict()
  .describe('Body of PATCH /users/{id}');

export const Tenant = described('A row of GET /tenants, for the platform operator', {
  id: z.string(),
  name: z.string(),
  created_at: z.iso.datetime(),
  users: z.int().describe('Number of people'),
  keys: z.int().describe('Number of API keys'),
});
export type Tenant = z.infer<typeof Tenant>;
export const TenantList = described('Tenants of the installation', { items: z.array(Tenant) });
export const NewTenant = describedStrictly(
  'Body of POST /tenants: a tenant and the invitation of its first administrator',
  {
    name: z.string().trim().min(1).max(100),
    email: Email,
    admin_name: PersonName,
  },
);
export const MadeTenant = described('The tenant and the link to send', { tenant: Tenant, link: OneTimeLink });
export const TenantChange = describedStrictly('Body of PATCH of a tenant', { name: z.string().trim().min(1).max(100) });
