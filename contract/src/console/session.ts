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
    .object({ name: z.string().describe('Name that the sign-in page shows') })
    .nullable()
    .describe('The identity provider; null where none is set up'),
  version: z.string().describe('Version of the service'),
});
export type Welcome = z.infer<typeof Welcome>;

export const Membership = described('A tenant that the person belongs to', {
  tenant_id: z.string().describe('Id of the tenant, 32 lower-case hexadecimal digits'),
  tenant_name: z.string().describe('Name of the tenant'),
  role: Role,
});
export type Membership = z.infer<typeof Membership>;

const ByLanguage = z.object({ ko: z.string().describe('In Korean'), en: z.string().describe('In English') });

export const Me = described('Reply of GET /me: the person who is signed in', {
  user: described('The person', {
    id: z.string().describe('Id of the person, 32 lower-case hexadecimal digits'),
    email: z.string().describe('Email address, in lower case'),
    name: z.string().describe('Name of the person'),
    language: Language.nullable(),
    theme: Theme,
    has_password: z.boolean().describe('Whether the person has a password'),
    totp: z.boolean().describe('Whether an authenticator app is set up as a second factor'),
    passkeys: z.int().describe('Number of passkeys'),
  }),
  tenant: z
    .object({
      id: z.string().describe('Id of the tenant, 32 lower-case hexadecimal digits'),
      name: z.string().describe('Name of the tenant'),
      accent: z.string().nullable().describe('Colour of buttons and links; null where the tenant has chosen none'),
    })
    .nullable()
    .describe('Null for an operator who belongs to no tenant'),
  role: Role.nullable(),
  operator: z.boolean().describe('Whether the person is an operator of the platform'),
  actions: z.array(ConsoleAction).describe('Actions that the person may do here'),
  memberships: z.array(Membership).describe('Tenants that the person belongs to, by name'),
  must_add_second_factor: z
    .boolean()
    .describe('Whether the tenant demands a second factor that the person lacks; only the profile opens until then'),
  ai: z
    .object({
      mark: ByLanguage.describe('Mark on what an AI has made'),
      notice: ByLanguage.extend({ version: z.string().describe('Names this wording') })
        .nullable()
        .describe('What the person is to be told before they use an AI; null once they have read this wording'),
    })
    .nullable()
    .describe('What is said of AI in this tenant; null for an operator who belongs to no tenant'),
  api_base: z.string().describe('Address for client libraries, such as http://127.0.0.1:8080/v1'),
  version: z.string().describe('Version of the service'),
});
export type Me = z.infer<typeof Me>;

export const Login = describedStrictly('Body of POST /login', {
  email: z.string().min(1).max(254).describe('Email address of the person'),
  password: z.string().min(1).max(200).describe('Password of the person'),
});
export const LoginResult = described('Reply of every step of a login; after second_factor follows POST /login/code', {
  state: z
    .enum(['signed_in', 'second_factor'])
    .describe('signed_in: a session has begun; second_factor: a code is needed first'),
});
export type LoginResult = z.infer<typeof LoginResult>;
export const LoginCode = describedStrictly('Body of POST /login/code: six digits of the app, or a recovery code', {
  code: z.string().trim().min(6).max(40).describe('Six digits of the app, or a recovery code'),
});

export const Setup = describedStrictly('Body of POST /setup: the first administrator', {
  token: z.string().min(1).max(200).describe('Token of the set-up link'),
  organisation: z.string().trim().min(1).max(100).describe('Name of the first tenant, 1 to 100 characters'),
  name: PersonName,
  email: Email,
  password: NewPassword,
  language: Language.optional(),
});

export const LinkToken = describedStrictly(
  'Body of POST /links/look: asks what a one-time link is for, before it is used',
  {
    token: z.string().min(1).max(200).describe('Token of the link'),
  },
);
export const LinkInfo = described('Purpose of a one-time link', {
  kind: z.enum(['invite', 'reset']).describe('invite: joining a tenant; reset: a new password'),
  email: z.string().describe('Email address of the person, in lower case'),
  name: z
    .string()
    .nullable()
    .describe('Name from the invitation, for invited people who choose a password; they may change it'),
  tenant_name: z.string().nullable().describe('Name of the tenant; null where the link belongs to none'),
  invited_by: z
    .string()
    .nullable()
    .describe('Name of who invites; null for other links, and where an operator made it by a command'),
  role: Role.nullable().describe('Role that an invitation gives; null for other links'),
  needs_password: z
    .boolean()
    .describe('Whether the person chooses a password; an invited person who has an account signs in instead'),
  expires_at: z.iso.datetime().describe('When the link ends, ISO 8601 in UTC'),
});
export type LinkInfo = z.infer<typeof LinkInfo>;
export const LinkUse = describedStrictly(
  'Body of POST /links/use: sets the password (reset, or first sign-in of an invited person) and signs in',
  {
    token: z.string().min(1).max(200).describe('Token of the link'),
    name: PersonName.optional(),
    password: NewPassword.optional(),
  },
);

export const ProfileChange = z
  .object({ name: PersonName, language: Language.nullable(), theme: Theme })
  .partial()
  .strict()
  .describe('Body of PATCH /me');
export const NoticeRead = describedStrictly('Body of POST /me/ai-notice: the person has read the notice', {
  version: z.string().max(64).describe('version of the notice that was shown'),
});
export const EmailChange = z
  .object({
    email: Email,
    password: z.string().min(1).max(200).optional().describe('Present password; left out where there is none'),
  })
  .strict()
  .describe('Body of POST /me/email: another address to sign in with; needs the password where there is one');
export const PasswordChange = describedStrictly('Body of POST /me/password', {
  current: z.string().max(200).optional().describe('Present password; optional within ten minutes of signing in'),
  password: NewPassword,
});
export const Reauthenticate = describedStrictly(
  'Body of POST /me/reauthenticate, before sensitive actions when the sign-in is older than ten minutes',
  { password: z.string().min(1).max(200).describe('Present password') },
);
export const TenantSwitch = describedStrictly('Body of POST /me/tenant: another tenant of the person', {
  tenant_id: z.string().describe('Id of the tenant, 32 lower-case hexadecimal digits'),
});

export const TotpSetup = described(
  'Reply of POST /me/totp; POST /me/totp/confirm with a code turns it on and returns recovery codes',
  {
    secret: z.string().describe('Secret for the authenticator app, in base32'),
    uri: z.string().describe('Address for the authenticator app, which begins with otpauth:'),
    qr_svg: z.string().describe('QR code of the address, as SVG'),
  },
);
export const RecoveryCodes = described('Recovery codes, each for one sign-in', {
  codes: z.array(z.string()).describe('The codes; they are shown only here'),
});

export const Passkey = described('A passkey of the person', {
  id: z.string().describe('Id of the passkey, 32 lower-case hexadecimal digits'),
  name: z.string().describe('Name that the person gave it'),
  created_at: z.iso.datetime().describe('Time of creation, ISO 8601 in UTC'),
  last_used_at: z.iso
    .datetime()
    .nullable()
    .describe('Time of the last sign-in with it, ISO 8601 in UTC; null where there was none'),
});
export const PasskeyList = described('Passkeys of the person', {
  items: z.array(Passkey).describe('Passkeys, the oldest first'),
});
export const WebAuthnJson = z
  .record(z.string(), z.unknown())
  .describe('Options or response of WebAuthn, as the browser library makes them');
export const PasskeyProof = describedStrictly('Body of POST /login/passkey', { response: WebAuthnJson });
export const PasskeyAdd = describedStrictly('Body of POST of a new passkey', {
  name: z.string().trim().min(1).max(100).describe('Name of the passkey, 1 to 100 characters'),
  response: WebAuthnJson,
});
export const PasskeyChange = z
  .object({ name: z.string().trim().min(1).max(100).describe('Name of the passkey, 1 to 100 characters') })
  .strict()
  .describe('Body of PATCH /me/passkeys/{id}');

export const SessionInfo = described('A session of the person: GET /me/sessions', {
  id: z.string().describe('Id of the session, 32 lower-case hexadecimal digits'),
  current: z.boolean().describe('Whether this is the session of the request'),
  created_at: z.iso.datetime().describe('Time of the sign-in, ISO 8601 in UTC'),
  seen_at: z.iso.datetime().describe('Time of the last request'),
  expires_at: z.iso.datetime().describe('When the session ends at the latest, ISO 8601 in UTC'),
  address: z.string().describe('IP address from which the session was opened'),
  user_agent: z.string().describe('Header User-Agent of the sign-in'),
});
export const SessionList = described('Sessions of the person', {
  items: z.array(SessionInfo).describe('Sessions on all devices, the one used last first'),
});
