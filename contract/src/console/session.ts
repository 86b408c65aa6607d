import { z } from 'zod';
import { described, describedStrictly } from '../described.ts';
import { ConsoleAction, Role } from './roles.ts';

/** Languages of the console. Source: decisions section 7. */
export const languages = ['ko', 'en'] as const;
/** Source: decisions section 7. */
export const Language = z.enum(languages).describe('Language of the console');
export type Language = z.infer<typeof Language>;
export const Theme = z.enum(['system', 'light', 'dark']).describe('Colours of the console');
export type Theme = z.infer<typeof Theme>;

export const Email = z.email().max(254).describe('Email address; stored in lower case');
export const NewPassword = z.string().min(10).max(200).describe('A new password; known bad ones are refused');
export const PersonName = z.string().trim().min(1).max(100).describe('Name of a person, 1 to 100 characters');

export const Welcome = described('Reply of GET /welcome, for browsers without a session', {
  setup_needed: z.boolean().describe('Whether there is no administrator yet, so that the set-up link must be opened'),
  single_sign_on: z
    .object({ name: z.string() })
    .nullable()
    .describe('The identity provider; null where none is set up'),
  version: z.string(),
});
export type Welcome = z.infer<typeof Welcome>;

export const Membership = described('A tenant that the person belongs to', {
  tenant_id: z.string(),
  tenant_name: z.string(),
  role: Role,
});
export type Membership = z.infer<typeof Membership>;

export const Me = described('Reply of GET /me: the person who is signed in', {
  user: z.object({
    id: z.string(),
    email: z.string(),
    name: z.string(),
    language: Language.nullable(),
    theme: Theme,
    has_password: z.boolean(),
    totp: z.boolean(),
    passkeys: z.int(),
  }),
  tenant: z
    .object({ id: z.string(), name: z.string(), accent: z.string().nullable() })
    .nullable()
    .describe('Null for an operator who belongs to no tenant'),
  role: Role.nullable(),
  operator: z.boolean().describe('Whether the person is an operator of the platform'),
  actions: z.array(ConsoleAction).describe('Actions that the person may do here'),
  memberships: z.array(Membership),
  must_add_second_factor: z
    .boolean()
    .describe('Whether the tenant demands a second factor that the person lacks; only the profile opens until then'),
  api_base: z.string().describe('Address for client libraries, such as http://127.0.0.1:8080/v1'),
  version: z.string(),
});
export type Me = z.infer<typeof Me>;

export const Login = describedStrictly('Body of POST /login', {
  email: z.string().min(1).max(254),
  password: z.string().min(1).max(200),
});
export const LoginResult = described('Reply of every step of a login; after second_factor follows POST /login/code', {
  state: z.enum(['signed_in', 'second_factor']),
});
export type LoginResult = z.infer<typeof LoginResult>;
export const LoginCode = describedStrictly('Body of POST /login/code: six digits of the app, or a recovery code', {
  code: z.string().trim().min(6).max(40),
});

export const Setup = describedStrictly('Body of POST /setup: the first administrator', {
  token: z.string().min(1).max(200).describe('Token of the set-up link'),
  organisation: z.string().trim().min(1).max(100),
  name: PersonName,
  email: Email,
  password: NewPassword,
  language: Language.optional(),
});

export const LinkToken = describedStrictly(
  'Body of POST /links/look: asks what a one-time link is for, before it is used',
  {
    token: z.string().min(1).max(200),
  },
);
export const LinkInfo = described('Purpose of a one-time link', {
  kind: z.enum(['invite', 'reset']),
  email: z.string(),
  name: z
    .string()
    .nullable()
    .describe('Name from the invitation, for invited people who choose a password; they may change it'),
  tenant_name: z.string().nullable(),
  needs_password: z
    .boolean()
    .describe('Whether the person chooses a password; an invited person who has an account signs in instead'),
  expires_at: z.iso.datetime(),
});
export type LinkInfo = z.infer<typeof LinkInfo>;
export const LinkUse = describedStrictly(
  'Body of POST /links/use: sets the password (reset, or first sign-in of an invited person) and signs in',
  {
    token: z.string().min(1).max(200),
    name: PersonName.optional(),
    password: NewPassword.optional(),
  },
);

export const ProfileChange = z
  .object({ name: PersonName, language: Language.nullable(), theme: Theme })
  .partial()
  .strict()
  .describe('Body of PATCH /me');
export const EmailChange = z
  .object({ email: Email, password: z.string().min(1).max(200).optional() })
  .strict()
  .describe('Body of POST /me/email: another address to sign in with; needs the password where there is one');
export const PasswordChange = describedStrictly('Body of POST /me/password', {
  current: z.string().max(200).optional(),
  password: NewPassword,
});
export const Reauthenticate = describedStrictly(
  'Body of POST /me/reauthenticate, before sensitive actions when the sign-in is older than ten minutes',
  { password: z.string().min(1).max(200) },
);
export const TenantSwitch = describedStrictly('Body of POST /me/tenant: another tenant of the person', {
  tenant_id: z.string(),
});

export const TotpSetup = described(
  'Reply of POST /me/totp; POST /me/totp/confirm with a code turns it on and returns recovery codes',
  { secret: z.string(), uri: z.string(), qr_svg: z.string().describe('QR code of the address, as SVG') },
);
export const RecoveryCodes = described('Recovery codes, each for one sign-in', { codes: z.array(z.string()) });

export const Passkey = described('A passkey of the person', {
  id: z.string(),
  name: z.string(),
  created_at: z.iso.datetime(),
  last_used_at: z.iso.datetime().nullable(),
});
export const PasskeyList = described('Passkeys of the person', { items: z.array(Passkey) });
export const WebAuthnJson = z
  .record(z.string(), z.unknown())
  .describe('Options or response of WebAuthn, as the browser library makes them');
export const PasskeyProof = describedStrictly('Body of POST /login/passkey', { response: WebAuthnJson });
export const PasskeyAdd = describedStrictly('Body of POST of a new passkey', {
  name: z.string().trim().min(1).max(100),
  response: WebAuthnJson,
});
export const PasskeyChange = z
  .object({ name: z.string().trim().min(1).max(100) })
  .strict()
  .describe('Body of PATCH /me/passkeys/{id}');

export const SessionInfo = described('A session of the person: GET /me/sessions', {
  id: z.string(),
  current: z.boolean().describe('Whether this is the session of the request'),
  created_at: z.iso.datetime(),
  seen_at: z.iso.datetime().describe('Time of the last request'),
  expires_at: z.iso.datetime(),
  address: z.string().describe('IP address of the last request'),
  user_agent: z.string(),
});
export const SessionList = described('Sessions of the person', { items: z.array(SessionInfo) });
