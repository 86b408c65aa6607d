import { z } from 'zod';
import { ConsoleAction, Role } from './roles.ts';

export const languages = ['ko', 'en'] as const;
export const Language = z.enum(languages);
export type Language = z.infer<typeof Language>;
export const Theme = z.enum(['system', 'light', 'dark']);
export type Theme = z.infer<typeof Theme>;

export const Email = z.email().max(254).describe('Kept in lower case');
/** Length is what counts; a list of known bad ones is refused by the service. */
export const NewPassword = z.string().min(10).max(200);
export const PersonName = z.string().trim().min(1).max(100);

/** GET /welcome: what a browser without a session needs to know. */
export const Welcome = z.object({
  setup_needed: z.boolean().describe('No administrator yet: the set-up link must be opened'),
  single_sign_on: z.object({ name: z.string() }).nullable(),
  version: z.string(),
});
export type Welcome = z.infer<typeof Welcome>;

/** A tenant that the person belongs to. */
export const Membership = z.object({ tenant_id: z.string(), tenant_name: z.string(), role: Role });
export type Membership = z.infer<typeof Membership>;

/** GET /me. */
export const Me = z.object({
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
  operator: z.boolean(),
  /** What the person may do here, by the one policy of the service. */
  actions: z.array(ConsoleAction),
  memberships: z.array(Membership),
  /** The tenant demands a second factor that the person has not set up: only the profile opens. */
  must_add_second_factor: z.boolean(),
  api_base: z.string().describe('Address for client libraries, such as http://127.0.0.1:8080/v1'),
  version: z.string(),
});
export type Me = z.infer<typeof Me>;

/** POST /login. */
export const Login = z.object({ email: z.string().min(1).max(254), password: z.string().min(1).max(200) });
/** Answer of every step of a login; with `second_factor` POST /login/code follows. */
export const LoginResult = z.object({ state: z.enum(['signed_in', 'second_factor']) });
export type LoginResult = z.infer<typeof LoginResult>;
/** POST /login/code: six digits of the app, or a recovery code. */
export const LoginCode = z.object({ code: z.string().trim().min(6).max(40) });

/** POST /setup: the first administrator. */
export const Setup = z.object({
  token: z.string().min(1).max(200),
  organisation: z.string().trim().min(1).max(100),
  name: PersonName,
  email: Email,
  password: NewPassword,
  language: Language.optional(),
});

/** POST /links/look: what a one-time link is for, before it is used. */
export const LinkToken = z.object({ token: z.string().min(1).max(200) });
export const LinkInfo = z.object({
  kind: z.enum(['invite', 'reset']),
  email: z.string(),
  /** As whoever invited them wrote it; only for an invited person who chooses a password, who may change it. */
  name: z.string().nullable(),
  tenant_name: z.string().nullable(),
  /** An invited person who has an account already signs in and accepts; others choose a password. */
  needs_password: z.boolean(),
  expires_at: z.iso.datetime(),
});
export type LinkInfo = z.infer<typeof LinkInfo>;
/** POST /links/use: sets the password (reset, or first sign-in of an invited person) and signs in. */
export const LinkUse = z.object({
  token: z.string().min(1).max(200),
  name: PersonName.optional(),
  password: NewPassword.optional(),
});

/** PATCH /me. */
export const ProfileChange = z
  .object({ name: PersonName, language: Language.nullable(), theme: Theme })
  .partial()
  .strict();
/** POST /me/email: another address to sign in with. The password is asked for where there is one. */
export const EmailChange = z.object({ email: Email, password: z.string().min(1).max(200).optional() }).strict();
/** POST /me/password. */
export const PasswordChange = z.object({ current: z.string().max(200).optional(), password: NewPassword });
/** POST /me/reauthenticate: before what is sensitive, when the sign-in is older than ten minutes. */
export const Reauthenticate = z.object({ password: z.string().min(1).max(200) });
/** POST /me/tenant: another tenant of the person. */
export const TenantSwitch = z.object({ tenant_id: z.string() });

/** POST /me/totp answers this; POST /me/totp/confirm with a {@link LoginCode} turns it on and gives recovery codes. */
export const TotpSetup = z.object({ secret: z.string(), uri: z.string(), qr_svg: z.string() });
export const RecoveryCodes = z.object({ codes: z.array(z.string()) });

export const Passkey = z.object({
  id: z.string(),
  name: z.string(),
  created_at: z.iso.datetime(),
  last_used_at: z.iso.datetime().nullable(),
});
export const PasskeyList = z.object({ items: z.array(Passkey) });
/** Options and answers of WebAuthn travel as the browser library makes them. */
export const WebAuthnJson = z.record(z.string(), z.unknown());
/** POST /login/passkey. */
export const PasskeyProof = z.object({ response: WebAuthnJson });
export const PasskeyAdd = z.object({ name: z.string().trim().min(1).max(100), response: WebAuthnJson });
/** PATCH /me/passkeys/{id}. */
export const PasskeyChange = z.object({ name: z.string().trim().min(1).max(100) }).strict();

/** GET /me/sessions. */
export const SessionInfo = z.object({
  id: z.string(),
  current: z.boolean(),
  created_at: z.iso.datetime(),
  seen_at: z.iso.datetime(),
  expires_at: z.iso.datetime(),
  address: z.string(),
  user_agent: z.string(),
});
export const SessionList = z.object({ items: z.array(SessionInfo) });
