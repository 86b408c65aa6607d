import type { Bus, Unsubscribe } from '../ports/bus.ts';

/** Channel for changes of a person's sessions or memberships; the payload is the person's id. */
const PEOPLE_CHANNEL = 'people';

/**
 * Tells every process to check the access of a person's open calls again. A lost message only costs time: they are checked every few
 * seconds as well.
 */
export const publishPersonChange = (bus: Bus, userId: string): Promise<void> =>
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
