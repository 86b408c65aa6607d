import type { Me } from '@ai-studio/contract/console/session.ts';
import { type Choices, readUnsavedChoices, storeUnsavedChoices } from './browser-storage.ts';

/** Choices are sent one after the other: of two that are under way at once the earlier may arrive last. */
let sent: Promise<void> = Promise.resolve();

async function send(userId: string, patch: (choices: Choices) => Promise<Me>, onSaved: (me: Me) => void) {
  const choices = readUnsavedChoices(userId);
  // Another one has sent them along with its own.
  if (choices === null) return;
  try {
    const me = await patch(choices);
    // The answer to an earlier choice does not know of a later one.
    if (JSON.stringify(readUnsavedChoices(userId)) !== JSON.stringify(choices)) return;
    storeUnsavedChoices(userId, null);
    onSaved(me);
  } catch {
    // They hold in this browser, and are sent again with the next one or when the console is loaded.
  }
}

/**
 * Saves choices to the profile of a person, with those that it does not have yet: this browser keeps them until it does, so that a reload
 * right after a choice does not bring back what the profile had. `onSaved` hears what the profile says once it has all.
 */
export function saveChoices(
  userId: string,
  choices: Choices,
  patch: (choices: Choices) => Promise<Me>,
  onSaved: (me: Me) => void,
): void {
  storeUnsavedChoices(userId, { ...readUnsavedChoices(userId), ...choices });
  sent = sent.then(() => send(userId, patch, onSaved));
}
