declare global {
  /** What index.html has asked for while the scripts were on their way, by path below /console/api. */
  // oxlint-disable-next-line no-var
  var studioEarly: Record<string, Promise<Response> | undefined> | undefined;
}

/** After this long since the page was loaded an answer may be about somebody else, or about what was before. */
const MAX_AGE_MS = 10_000;

/** The answer to a call that was begun before the console was there, once; undefined where there is none, or none that still holds. */
export function takeEarly(path: string): Promise<Response> | undefined {
  const { studioEarly: early } = globalThis;
  const answer = early?.[path];
  if (early === undefined || answer === undefined) return undefined;
  delete early[path];
  return performance.now() < MAX_AGE_MS ? answer : undefined;
}

/** Forgets what was asked for early: who is here has changed, or is not signed in. */
export function forgetEarly(): void {
  globalThis.studioEarly = undefined;
}
