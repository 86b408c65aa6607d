import { z } from 'zod';
import type { EngineVoice } from '../../../ports/engine.ts';

/** Most voices of a server that are listed. */
const MAX_VOICES = 1_000;

const Name = z.string().min(1).max(200);
/** Names, or objects with one: Kokoro-FastAPI, Speaches and openedai-speech each have a form of their own. */
const Voice = z.union([
  Name.transform((id) => ({ id, name: id })),
  z
    .object({ id: Name.optional(), voice_id: Name.optional(), name: Name.optional() })
    .transform(({ id, voice_id: voiceId, name }) => ({
      id: id ?? voiceId ?? name ?? '',
      name: name ?? id ?? voiceId ?? '',
    })),
]);
const Voices = z.union([
  z.array(z.unknown()),
  z.object({ voices: z.array(z.unknown()) }).transform(({ voices }) => voices),
]);

/** Voices of GET /audio/voices, which no standard describes; none of what is not understood. */
export function readVoices(answer: unknown): readonly EngineVoice[] {
  const { data = [] } = Voices.safeParse(answer);
  return data.slice(0, MAX_VOICES).flatMap((voice) => {
    const { data: read } = Voice.safeParse(voice);
    return read === undefined || read.id === '' ? [] : [read];
  });
}
