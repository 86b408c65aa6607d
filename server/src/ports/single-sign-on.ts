/** Who somebody is, as another service says that the installation trusts. */
export interface ForeignIdentity {
  readonly issuer: string;
  /** Never changes, unlike the address. */
  readonly subject: string;
  /** Null where the service does not say that the address is the person's. */
  readonly verifiedEmail: string | null;
  readonly name: string | null;
}

/** A sign-in that was begun: where the browser goes, and what must be kept until it comes back. */
export interface SsoStart {
  readonly url: string;
  /** For {@link SingleSignOn.finish}; holds secrets, and so stays with us. */
  readonly kept: Readonly<Record<string, string>>;
}

/** Sign-in by another service. */
export interface SingleSignOn {
  /** As people know the service. */
  readonly name: string;
  /** Rejects with StudioError `unavailable` where the service can't be reached. */
  begin(redirectUri: string): Promise<SsoStart>;
  /**
   * `query` is what the browser came back with. Rejects with StudioError `unauthenticated`, reason `sign_in_failed`, for
   * what is not the answer to the sign-in that was begun.
   */
  finish(redirectUri: string, query: string, kept: SsoStart['kept']): Promise<ForeignIdentity>;
}
