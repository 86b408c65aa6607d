export {
  type AllowanceDeps,
  type KeyActor,
  allowanceOf,
  createKeyActor,
  isExpired,
  personActor,
  rightsOf,
} from './allowance.ts';
export { ensureDefaultTenant } from './default-tenant.ts';
export { deleteKey } from './delete-key.ts';
export { issueKey, type NewKey } from './issue-key.ts';
export { agentsAreModels, keyScopes, type KeyRecord, type KeyScope, type ToolStream } from './key-record.ts';
export { createKeyRing, type KeyRing, type RevokedKey } from './key-ring.ts';
export { listKeys } from './list-keys.ts';
export type { KeyChangeDeps } from './key-changes.ts';
export type { KeyInfo } from './key-row.ts';
export type { AuditNote } from './audit.ts';
export type { SignedIn } from './signed-in.ts';
export { requireAction } from './policy.ts';
export { iterateAudit, listAudit } from './audit-log.ts';
export { findKeyRecord } from './find-key-record.ts';
export { listKeyDetails, type KeyDetails } from './key-details.ts';
export { acknowledgeAiNotice, type AiPresence, readAiPresence } from './ai-presence.ts';
export { changeGuard, changeSettings, readGuard, readSettings } from './tenant-settings.ts';
export { type FirstKeys, prepareKeys } from './prepare-keys.ts';
export {
  auditActorOf,
  keyAuditActor,
  originOf,
  systemAuditActor,
  type AuditedContext,
  type CallOrigin,
  type TenantAuditActor,
} from './audit-actor.ts';
export { writeAudit } from './audit.ts';
export type { IdentityDeps } from './identity-deps.ts';
export { linkUrl, type IssuedLink } from './links/one-time-links.ts';
export { CHALLENGE_MINUTES } from './login/challenge.ts';
export { loginWithPassword } from './login/with-password.ts';
export { createPasswords, type PasswordCost, type Passwords } from './passwords/hash.ts';
export { createFirstAdministrator, createSetupLink, setUpInstallation, setupNeeded } from './people/set-up.ts';
export { endSessionByToken, type OpenedSession } from './sessions/open-session.ts';
export { readSession } from './sessions/read-session.ts';
export { acceptInvitation, describeLink, useLink } from './links/use-link.ts';
export { loginWithCode } from './login/with-code.ts';
export { changePerson, removePerson } from './people/change-person.ts';
export { onPersonChange, publishPersonChange } from './people-changes.ts';
export { findActiveMember, isActiveMember } from './people/active-member.ts';
export { invite } from './people/invite.ts';
export { inviteMany } from './people/invite-many.ts';
export { sendInvitations } from './mail/send-invitations.ts';
export { listPeople, readPerson } from './people/list-people.ts';
export { issuePersonLink } from './people/issue-link.ts';
export { createTenant, enterTenant, listTenants, renameTenant } from './people/tenants.ts';
export { changeProfile, readMe, switchTenant } from './profile/me.ts';
export { changeOwnEmail } from './profile/email.ts';
export { changeMemberEmail } from './people/change-member-email.ts';
export { issueKnownDevice } from './login/known-device.ts';
export { changePassword, reauthenticate } from './profile/password.ts';
export { startTotpSetup, confirmTotp, removeTotp, renewRecoveryCodes } from './second-factor/totp.ts';
export { endOtherSessions, endSession, listSessions } from './sessions/own-sessions.ts';
export {
  createPerson,
  listMemberships,
  createResetLink,
  setEmail,
  setOperator,
  type MembershipSummary,
} from './people/command-line.ts';
export {
  addPasskey,
  startPasskeyRegistration,
  listPasskeys,
  removePasskey,
  renamePasskey,
} from './passkeys/own-passkeys.ts';
export { startPasskeySignIn, loginWithPasskey } from './passkeys/sign-in.ts';
export { startSso, finishSso, type SsoDeps } from './login/with-sso.ts';
export { personOfToken, type TokenPeopleDeps, type TokenPerson } from './login/with-access-token.ts';
