/**
 * Names of voices that clients of OpenAI's interface send, as its field is required there. No model of this machine has them: they
 * stand for its own voice. Source: OpenAI, API reference, "Create speech", `voice`.
 */
const names: ReadonlySet<string> = new Set(
  'alloy ash ballad coral echo fable nova onyx sage shimmer verse marin cedar'.split(' '),
);

/** The requested voice; null for the model's default. */
export const requestedVoice = (voice: string | null): string | null =>
  voice === null || names.has(voice) ? null : voice;
