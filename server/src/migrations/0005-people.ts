import { sql } from 'kysely';
import type { Migration } from '../ports/database.ts';

/** People, what proves who they are, where they belong, and the log of what they did. */
export const people: Migration = {
  name: '0005_people',
  async up(tx) {
    for (const statement of statements) await sql.raw(statement).execute(tx);
  },
};

const statements = [
  `CREATE TABLE users (
    id text PRIMARY KEY,
    email text NOT NULL UNIQUE CHECK (email = lower(email)),
    name text NOT NULL,
    language text CHECK (language IN ('ko', 'en')),
    theme text NOT NULL DEFAULT 'system' CHECK (theme IN ('system', 'light', 'dark')),
    password_hash text,
    totp_secret text,
    totp_confirmed_at timestamptz,
    totp_last_step bigint NOT NULL DEFAULT 0,
    recovery_code_hashes text[] NOT NULL DEFAULT '{}',
    operator boolean NOT NULL DEFAULT false,
    created_at timestamptz NOT NULL DEFAULT now()
  )`,
  `CREATE TABLE memberships (
    tenant_id text NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
    user_id text NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    role text NOT NULL CHECK (role IN ('user', 'developer', 'administrator')),
    state text NOT NULL CHECK (state IN ('active', 'invited', 'disabled')),
    name text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    seen_at timestamptz,
    PRIMARY KEY (tenant_id, user_id)
  )`,
  `CREATE INDEX memberships_of_user ON memberships (user_id)`,
  `CREATE TABLE sessions (
    id text PRIMARY KEY,
    sha256 bytea NOT NULL UNIQUE,
    user_id text NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    tenant_id text REFERENCES tenants (id) ON DELETE CASCADE,
    method text NOT NULL CHECK (method IN ('password', 'code', 'passkey', 'sso', 'link')),
    created_at timestamptz NOT NULL DEFAULT now(),
    seen_at timestamptz NOT NULL DEFAULT now(),
    expires_at timestamptz NOT NULL,
    authenticated_at timestamptz NOT NULL DEFAULT now(),
    address text NOT NULL,
    user_agent text NOT NULL
  )`,
  `CREATE INDEX sessions_of_user ON sessions (user_id, seen_at)`,
  `CREATE TABLE login_challenges (
    sha256 bytea PRIMARY KEY,
    kind text NOT NULL CHECK (kind IN ('second_factor', 'passkey_login', 'passkey_add', 'sso')),
    user_id text REFERENCES users (id) ON DELETE CASCADE,
    data jsonb NOT NULL DEFAULT '{}',
    expires_at timestamptz NOT NULL
  )`,
  `CREATE INDEX login_challenges_end ON login_challenges (expires_at)`,
  `CREATE TABLE login_failures (
    id text PRIMARY KEY,
    kind text NOT NULL CHECK (kind IN ('account', 'address')),
    subject text NOT NULL,
    at timestamptz NOT NULL DEFAULT now()
  )`,
  `CREATE INDEX login_failures_of_subject ON login_failures (kind, subject, at)`,
  `CREATE INDEX login_failures_at ON login_failures (at)`,
  `CREATE TABLE passkeys (
    id text PRIMARY KEY,
    user_id text NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    credential_id text NOT NULL UNIQUE,
    public_key bytea NOT NULL,
    counter bigint NOT NULL,
    transports text[] NOT NULL,
    name text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    last_used_at timestamptz
  )`,
  `CREATE INDEX passkeys_of_user ON passkeys (user_id)`,
  `CREATE TABLE sso_accounts (
    issuer text NOT NULL,
    subject text NOT NULL,
    user_id text NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (issuer, subject)
  )`,
  `CREATE INDEX sso_accounts_of_user ON sso_accounts (user_id)`,
  `CREATE TABLE one_time_links (
    sha256 bytea PRIMARY KEY,
    kind text NOT NULL CHECK (kind IN ('setup', 'invite', 'reset')),
    user_id text REFERENCES users (id) ON DELETE CASCADE,
    tenant_id text REFERENCES tenants (id) ON DELETE CASCADE,
    created_by text,
    created_at timestamptz NOT NULL DEFAULT now(),
    expires_at timestamptz NOT NULL,
    used_at timestamptz
  )`,
  `CREATE INDEX one_time_links_of_user ON one_time_links (user_id)`,
  `CREATE TABLE audit_events (
    seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    tenant_id text,
    at timestamptz NOT NULL DEFAULT clock_timestamp(),
    action text NOT NULL,
    actor_user_id text,
    actor_name text NOT NULL,
    target_kind text,
    target_id text,
    target_name text,
    address text,
    user_agent text,
    request_id text,
    detail jsonb NOT NULL DEFAULT '{}'
  )`,
  `CREATE INDEX audit_events_of_tenant ON audit_events (tenant_id, seq DESC)`,
  `CREATE FUNCTION refuse_audit_change() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN RAISE EXCEPTION 'the audit log is only ever added to'; END $$`,
  `CREATE TRIGGER audit_events_kept BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_events
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change()`,
  `CREATE TABLE tenant_settings (
    tenant_id text PRIMARY KEY REFERENCES tenants (id) ON DELETE CASCADE,
    settings jsonb NOT NULL DEFAULT '{}'
  )`,
];
