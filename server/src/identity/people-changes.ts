import type { Bus, Unsubscribe } from '../ports/bus.ts';

/** Channel on which it is told that a person's sessions or places have changed; the payload is the person's id. */
const PEOPLE_CHANNEL = 'people';

/**
 * Tells every process that what a person has under way must be looked at again. A message that is lost only costs time: open
 * calls are looked at every few seconds as well.
 */
export const announcePersonChange = (bus: Bus, userId: string): Promise<void> =>
  bus.publish(PEOPLE_CHANNEL, userId).catch(() => undefined);

/** Calls `listener` with the person's id; with null where messages may have been missed. */
export const onPersonChange = (bus: Bus, listener: (userId: string | null) => void): Promise<Unsubscribe> =>
  bus.subscribe(
    PEOPLE_CHANNEL,
    (payload) => {
      if (typeof payload === 'string') listener(payload);
    },
    () => listener(null),
  );
