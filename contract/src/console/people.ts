import { z } from 'zod';
import { described, describedStrictly } from '../described.ts';
import { Role } from './roles.ts';
import { Email, PersonName } from './session.ts';

export const Person = described('A row of GET /users: a person of the tenant', {
  id: z.string().describe('Id of the person'),
  email: z.string().describe('Email address to sign in with'),
  name: z.string().describe('Name of the person; that of the invitation until they join'),
  role: Role,
  state: z.enum(['active', 'invited', 'disabled']).describe('disabled: in this tenant'),
  second_factor: z.boolean().describe('Whether a second factor is set up'),
  last_seen_at: z.iso
    .datetime()
    .nullable()
    .describe('Time of the last activity in the tenant, ISO 8601 in UTC, to a minute; null where there was none'),
  created_at: z.iso.datetime().describe('Time when the person was added to the tenant, ISO 8601 in UTC'),
  resettable: z
    .boolean()
    .describe(
      'Whether an administrator may reset the password; false for members of other tenants, who do it themselves or ask the operator',
    ),
});
export type Person = z.infer<typeof Person>;
export const PersonList = described('People of the tenant', {
  items: z.array(Person).describe('The people, by name'),
  mails: z.boolean().describe('Whether invitations are sent by mail'),
});

export const NewPerson = describedStrictly('Body of POST /users: invites a person', {
  email: Email,
  name: PersonName,
  role: Role,
});
export const OneTimeLink = described('A link that works once; it is shown once, because there may be no mail server', {
  url: z.string().describe('Address of the link'),
  expires_at: z.iso.datetime().describe('Time from which the link no longer works, ISO 8601 in UTC'),
});
export type OneTimeLink = z.infer<typeof OneTimeLink>;
export const InvitedPerson = described('The person and the link to send', {
  user: Person,
  link: OneTimeLink,
  mailed: z.boolean().describe('Whether the link was mailed to them'),
});

/** People of one call; a longer list is sent in several. */
export const MAX_INVITED_AT_ONCE = 100;
export const NewPeople = describedStrictly('Body of POST /users/bulk: invites many people, all of them or none', {
  people: z.array(NewPerson).min(1).max(MAX_INVITED_AT_ONCE).describe('The people, 1 to 100'),
});
export const ManyInvited = described('What came of one of many invitations', {
  email: Email,
  name: PersonName,
  role: Role,
  outcome: z
    .enum(['invited', 'already_member'])
    .describe('already_member: the person is in the list of the tenant already, and was left as they are'),
  mailed: z.boolean().describe('Whether the link was mailed to them'),
  link: OneTimeLink.nullable().describe('The link to hand over; null where it was mailed, and of members'),
});
export type ManyInvited = z.infer<typeof ManyInvited>;
export const InvitedPeople = described('Reply of POST /users/bulk', {
  people: z.array(ManyInvited).describe('One entry for each person, in the order of the call'),
});
export const PersonEmail = z
  .object({ email: Email })
  .strict()
  .describe(
    'Body of POST /users/{id}/email: another address to sign in with, for people who are resettable or disabled',
  );
export const PersonChange = z
  .object({
    role: Role,
    state: z.enum(['active', 'disabled']).describe('Whether the person may use the tenant (active) or not (disabled)'),
  })
  .partial()
  .strict()
  .describe('Body of PATCH /users/{id}');

export const Tenant = described('A row of GET /tenants, for the platform operator', {
  id: z.string().describe('Id of the tenant'),
  name: z.string().describe('Name of the tenant'),
  created_at: z.iso.datetime().describe('Time of creation, ISO 8601 in UTC'),
  users: z.int().describe('Number of people'),
  keys: z.int().describe('Number of API keys'),
});
export type Tenant = z.infer<typeof Tenant>;
export const TenantList = described('Tenants of the installation', {
  items: z.array(Tenant).describe('The tenants'),
});
export const NewTenant = describedStrictly(
  'Body of POST /tenants: a tenant and the invitation of its first administrator',
  {
    name: z.string().trim().min(1).max(100).describe('Name of the tenant, 1 to 100 characters'),
    email: Email,
    admin_name: PersonName,
  },
);
export const MadeTenant = described('The tenant and the link to send', { tenant: Tenant, link: OneTimeLink });
export const TenantChange = describedStrictly('Body of PATCH of a tenant', {
  name: z.string().trim().min(1).max(100).describe('Name of the tenant, 1 to 100 characters'),
});
