import { useCallback, useRef, useState } from 'react';

/** How near the end counts as being there, in pixels. */
const NEAR = 48;

/**
 * Scrolls a growing log to its end, unless the person has scrolled up. Watches the DOM, because parts change by themselves and
 * folding makes the log shorter. Spread `props` on the scroll container.
 */
export function useAutoScroll() {
  const box = useRef<HTMLDivElement>(null);
  const follows = useRef(true);
  /** Last scroll position, set by this hook or by the person. */
  const top = useRef(0);
  const [isAway, setAway] = useState(false);
  const ref = useCallback((found: HTMLDivElement) => {
    box.current = found;
    const scrollToEnd = () => {
      if (!follows.current) return;
      found.scrollTop = found.scrollHeight;
      top.current = found.scrollTop;
    };
    scrollToEnd();
    // Before the next frame is painted: measuring within the change would have the page laid out in the middle of it.
    let frame = 0;
    const changes = new MutationObserver(() => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(scrollToEnd);
    });
    changes.observe(found, { childList: true, subtree: true, characterData: true });
    return () => {
      changes.disconnect();
      cancelAnimationFrame(frame);
      box.current = null;
    };
  }, []);
  const onScroll = () => {
    const { current } = box;
    if (!current) return;
    const { scrollTop, scrollHeight, clientHeight } = current;
    if (scrollHeight - scrollTop - clientHeight < NEAR) follows.current = true;
    // Only a person moves it up from where it was put.
    else if (scrollTop < top.current) follows.current = false;
    top.current = scrollTop;
    setAway(!follows.current);
  };
  const toEnd = useCallback(() => {
    follows.current = true;
    setAway(false);
    box.current?.scrollTo({ top: box.current.scrollHeight });
  }, []);
  return {
    props: { ref, onScroll },
    /** Whether the person has scrolled up, so that what comes is not seen. */
    isAway,
    /** Scrolls to the end and stays there. */
    toEnd,
  };
}
