const acts = new Set<() => Promise<void>>();

/** So long a session or a tenant is not left because of what is still to be done there. */
const MOST_MS = 3_000;

/** Registers what has to be done by whoever is signed in, in the tenant that is open, before either is left. */
export function beforeLeaving(act: () => Promise<void>): void {
  acts.add(act);
}

/** Does it; never throws, as a person who leaves must not be kept. */
export async function doBeforeLeaving(): Promise<void> {
  const time = new Promise((resolve) => {
    setTimeout(resolve, MOST_MS);
  });
  await Promise.race([Promise.allSettled([...acts].map((act) => act())), time]);
}
