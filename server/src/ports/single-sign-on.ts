/** The identity of a person, asserted by an external service that the installation trusts. */
export interface ExternalIdentity {
  readonly issuer: string;
  /** Never changes, unlike the mail address. */
  readonly subject: string;
  /** Null where the service has not verified the address. */
  readonly verifiedEmail: string | null;
  readonly name: string | null;
}

/** A started sign-in: the address for the browser, and the state to keep until it returns. */
export interface SsoStart {
  readonly url: string;
  /** Input of {@link SingleSignOn.finish}; holds secrets, and so stays in the service. */
  readonly secrets: Readonly<Record<string, string>>;
}

/** Sign-in by an external service. */
export interface SingleSignOn {
  /** Display name of the service. */
  readonly name: string;
  /** Rejects with StudioError `unavailable` where the service can't be reached. */
  begin(redirectUri: string): Promise<SsoStart>;
  /**
   * `query`: the query with which the browser returned. Rejects with StudioError `unauthenticated`, reason `sign_in_failed`, where it
   * does not match the started sign-in.
   */
  finish(redirectUri: string, query: string, secrets: SsoStart['secrets']): Promise<ExternalIdentity>;
}

/** Access tokens of the service that people sign in with, for programs that act for them. */
export interface AccessTokens {
  /** Address of the service. */
  readonly issuer: string;
  /**
   * Rejects with StudioError `unauthenticated` for a token that is not one of the service for one of these audiences, or has expired;
   * `unavailable` where the service can't be reached.
   */
  verify(token: string, audiences: readonly string[]): Promise<ExternalIdentity>;
}
