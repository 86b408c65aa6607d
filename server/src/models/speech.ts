import type { CatalogueModel } from './catalogue.ts';
import { SPEECH_ENGINE } from './local.ts';
import { ModelProfile } from './profile.ts';

/** The catalogue entry of a speech model of this machine. */
export const speechProfile = (id: string, kind: 'transcription' | 'speech', description: string): CatalogueModel => ({
  id,
  ...ModelProfile.parse({ kind, description, engines: [{ engine: SPEECH_ENGINE, model: id }] }),
});

/** The entries of a catalogue with the speech models of this machine after them, where nothing else has their ids. */
export function withSpeechModels(
  entries: readonly CatalogueModel[],
  models: readonly CatalogueModel[],
): readonly CatalogueModel[] {
  const taken = new Set(entries.map(({ id }) => id));
  return [...entries, ...models.filter(({ id }) => !taken.has(id))];
}
