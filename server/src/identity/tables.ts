import type { LimitField } from '@ai-studio/contract/limits.ts';
import type { GuardMode } from '@ai-studio/contract/utilities/guard.ts';
import type { Generated, GeneratedAlways } from 'kysely';
import type { TenantId } from '../kernel/context.ts';
import type { GeneratedJson, GeneratedTimestamp, Nullable, NullableTimestamp, Timestamp } from '../ports/columns.ts';

/** An organisation. Every other row belongs to one. */
interface TenantsTable {
  id: TenantId;
  name: string;
  created_at: GeneratedTimestamp;
}

/** API keys: what they may do, and the SHA-256 of the value; never the value. Rows of deleted keys stay, for usage reports. */
export interface ApiKeysTable extends Record<LimitField, number | null> {
  id: string;
  tenant_id: TenantId;
  name: string;
  sha256: Buffer;
  /** First characters of the value, for people to tell keys apart. */
  key_start: string;
  key_last4: string;
  scopes: string[];
  allowed_models: string[] | null;
  tool_stream: 'openai' | 'arguments' | null;
  /** Whether deployed agents are models to its holder. */
  agent_models: Generated<boolean>;
  /** What becomes of personal values in its calls; null: what the tenant has set. */
  privacy_mode: Nullable<GuardMode>;
  /** Id of the user who made it; null for keys made by the service or its command line. */
  created_by: string | null;
  created_at: GeneratedTimestamp;
  expires_at: NullableTimestamp;
  last_used_at: NullableTimestamp;
  deleted_at: NullableTimestamp;
  /** Number of the change that touched the row last; see {@link KeyClockTable}. */
  version: number;
}

/** One row. Counts the changes of `api_keys`; its row lock makes the numbers commit in order. */
interface KeyClockTable {
  id: Generated<boolean>;
  version: number;
}

/** Processes that hold API keys in memory. */
interface NodesTable {
  id: string;
  started_at: GeneratedTimestamp;
  /** Last sign of life, by the database's clock. */
  seen_at: GeneratedTimestamp;
  /** The newest change of `api_keys` that this process has taken in. */
  key_version: number;
}

/** A person, and what proves who they are. Belongs to tenants by {@link MembershipsTable}. */
export interface UsersTable {
  id: string;
  /** In lower case. */
  email: string;
  name: string;
  language: Nullable<'ko' | 'en'>;
  theme: Generated<'system' | 'light' | 'dark'>;
  password_hash: Nullable<string>;
  /** Sealed; see kernel/secret-box.ts. In force once `totp_confirmed_at` is set. */
  totp_secret: Nullable<string>;
  totp_confirmed_at: NullableTimestamp;
  /** Time step of the last code that was taken: none is taken twice. */
  totp_last_step: Generated<number>;
  /** SHA-256 in hex of the codes that were not used. */
  recovery_code_hashes: Generated<string[]>;
  operator: Generated<boolean>;
  created_at: GeneratedTimestamp;
}

/** A person's place in a tenant. */
export interface MembershipsTable {
  tenant_id: TenantId;
  user_id: string;
  role: 'user' | 'developer' | 'administrator';
  state: 'active' | 'invited' | 'disabled';
  /** As the inviting tenant calls the person, until they have joined. */
  name: string;
  created_at: GeneratedTimestamp;
  /** Last call of a session in this tenant, to the minute. */
  seen_at: NullableTimestamp;
  /** The person's address as somebody else vouched for it, in lower case: access lists of sources are compared with it. */
  proven_email: Nullable<string>;
}

/** That a person has read what their tenant says of AI. */
interface AiNoticesTable {
  tenant_id: TenantId;
  user_id: string;
  /** Of the wording. */
  version: string;
  read_at: GeneratedTimestamp;
}

/** Sign-ins to the console: the SHA-256 of the cookie's value, never the value. */
interface SessionsTable {
  id: string;
  sha256: Buffer;
  user_id: string;
  tenant_id: TenantId | null;
  /** What proved who it is; `code` is a password and a second factor. */
  method: 'password' | 'code' | 'passkey' | 'sso' | 'link';
  created_at: GeneratedTimestamp;
  seen_at: GeneratedTimestamp;
  expires_at: Timestamp;
  authenticated_at: GeneratedTimestamp;
  address: string;
  user_agent: string;
}

/** Steps of a sign-in that wait for the next one. */
interface LoginChallengesTable {
  sha256: Buffer;
  kind: 'second_factor' | 'passkey_login' | 'passkey_add' | 'sso';
  user_id: string | null;
  data: GeneratedJson<Record<string, string>>;
  expires_at: Timestamp;
}

/** Attempts to sign in that did not succeed, by what they are counted for. */
interface LoginFailuresTable {
  id: string;
  kind: 'account' | 'address' | 'pair' | 'code' | 'known';
  /** SHA-256 in hex of the address or the e-mail. */
  subject: string;
  at: GeneratedTimestamp;
}

interface PasskeysTable {
  id: string;
  user_id: string;
  credential_id: string;
  public_key: Buffer;
  counter: number;
  transports: string[];
  name: string;
  created_at: GeneratedTimestamp;
  last_used_at: NullableTimestamp;
}

/** Accounts of the single sign-on that people came with. */
interface SsoAccountsTable {
  issuer: string;
  subject: string;
  user_id: string;
  created_at: GeneratedTimestamp;
}

/** Links that work once: the SHA-256 of their token, never the token. */
export interface OneTimeLinksTable {
  sha256: Buffer;
  kind: 'setup' | 'invite' | 'reset';
  user_id: string | null;
  /** The tenant in whose name it was made; null for the operator's and the command line's. */
  tenant_id: TenantId | null;
  created_by: string | null;
  created_at: GeneratedTimestamp;
  expires_at: Timestamp;
  used_at: NullableTimestamp;
}

/** What was done. Only ever added to. */
export interface AuditEventsTable {
  seq: GeneratedAlways<number>;
  /** Null where it concerns no tenant. */
  tenant_id: TenantId | null;
  at: GeneratedTimestamp;
  action: string;
  actor_user_id: string | null;
  actor_name: string;
  target_kind: string | null;
  target_id: string | null;
  target_name: string | null;
  address: string | null;
  user_agent: string | null;
  request_id: string | null;
  detail: GeneratedJson<Record<string, string | number | boolean | null>>;
}

/** What a tenant has set otherwise than the installation. */
interface TenantSettingsTable {
  tenant_id: TenantId;
  settings: GeneratedJson<Record<string, unknown>>;
}

declare module '../ports/tables.ts' {
  interface Tables {
    ai_notices: AiNoticesTable;
    tenants: TenantsTable;
    api_keys: ApiKeysTable;
    key_clock: KeyClockTable;
    nodes: NodesTable;
    users: UsersTable;
    memberships: MembershipsTable;
    sessions: SessionsTable;
    login_challenges: LoginChallengesTable;
    login_failures: LoginFailuresTable;
    passkeys: PasskeysTable;
    sso_accounts: SsoAccountsTable;
    one_time_links: OneTimeLinksTable;
    audit_events: AuditEventsTable;
    tenant_settings: TenantSettingsTable;
  }
}
