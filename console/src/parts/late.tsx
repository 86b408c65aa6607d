import { type ComponentType, startTransition, useEffect, useState } from 'react';

/**
 * A part whose code is fetched when it is first drawn, or before by `preload`; until then `Waiting` stands in its place. It is drawn as
 * soon as it is there, and at once where it is there already: React keeps what stands in for a `lazy` part for 300 ms, whatever it waits
 * for. A failure to fetch it is thrown where it is drawn, and it is asked for again the next time.
 */
export function late<Props extends object>(load: () => Promise<ComponentType<Props>>, Waiting: ComponentType<Props>) {
  let Loaded: ComponentType<Props> | undefined;
  let loading: Promise<void> | undefined;
  const preload = (): Promise<void> =>
    (loading ??= load().then(
      (part) => void (Loaded = part),
      (error: unknown) => {
        loading = undefined;
        throw error;
      },
    ));
  function Late(props: Props) {
    const [isThere, setThere] = useState(Loaded !== undefined);
    const [failure, setFailure] = useState<{ readonly error: unknown } | null>(null);
    useEffect(() => {
      if (isThere) return;
      let isGone = false;
      preload().then(
        () => {
          // People may be writing meanwhile.
          if (!isGone) startTransition(() => setThere(true));
        },
        (error: unknown) => {
          if (!isGone) setFailure({ error });
        },
      );
      return () => {
        isGone = true;
      };
    }, [isThere]);
    if (failure !== null) throw failure.error;
    return Loaded === undefined ? <Waiting {...props} /> : <Loaded {...props} />;
  }
  return Object.assign(Late, { preload });
}
