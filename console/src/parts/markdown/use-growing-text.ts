import { useEffect, useRef, useState } from 'react';

/** The pause between updates, as a multiple of the last render time: the page stays responsive in between. */
const REST_FACTOR = 3;
const MIN_MS = 30;
/** Characters that are added at a time: some ten blocks. A page that was held up does not draw all that came meanwhile in one go. */
const MAX_STEP = 4_000;

/** What is shown next of a text that grew: as much as is drawn at a time. Another text is shown whole. */
export const nextShown = (shown: string, latest: string): string =>
  latest.length - shown.length > MAX_STEP && latest.startsWith(shown)
    ? latest.slice(0, shown.length + MAX_STEP)
    : latest;

/**
 * Throttles a growing text to what the page can render: after each update it pauses for a multiple of the render time, and each adds
 * no more than is drawn in a moment. What is still missing when the text has ended comes in the same steps: until it is there, the text
 * `grows`.
 */
export function useGrowingText(text: string, growing: boolean): { readonly shown: string; readonly grows: boolean } {
  const [shown, setShown] = useState(text);
  const [grew, setGrew] = useState(growing);
  const latest = useRef(text);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const startedMs = useRef(0);
  const costMs = useRef(0);
  const isBehind = grew && shown !== text && text.startsWith(shown);
  const grows = growing || isBehind;
  if (grew !== grows) setGrew(grows);

  useEffect(() => {
    // Runs after React has committed the text.
    if (startedMs.current === 0) return;
    costMs.current = performance.now() - startedMs.current;
    startedMs.current = 0;
  });
  useEffect(() => {
    latest.current = text;
    if (!grows || timer.current !== undefined || shown === text) return;
    timer.current = setTimeout(
      () => {
        timer.current = undefined;
        startedMs.current = performance.now();
        setShown((before) => nextShown(before, latest.current));
      },
      Math.max(MIN_MS, costMs.current * REST_FACTOR),
    );
  }, [text, grows, shown]);
  useEffect(
    () => () => {
      clearTimeout(timer.current);
      timer.current = undefined;
    },
    [],
  );
  return { shown: grows ? shown : text, grows };
}
