import { useCallback, useRef } from 'react';

/** How near the end counts as being there, in pixels. */
const NEAR = 48;

/**
 * Keeps the end of a growing talk in sight, unless the person has scrolled up to read; however it grows: parts of it change by
 * themselves, and what is folded away makes it shorter. Put both on the box.
 */
export function useFollow() {
  const box = useRef<HTMLDivElement>(null);
  const follows = useRef(true);
  /** Where it was last, by our own doing or the person's. */
  const top = useRef(0);
  const ref = useCallback((found: HTMLDivElement) => {
    box.current = found;
    const keep = () => {
      if (!follows.current) return;
      found.scrollTop = found.scrollHeight;
      top.current = found.scrollTop;
    };
    keep();
    const changes = new MutationObserver(keep);
    changes.observe(found, { childList: true, subtree: true, characterData: true });
    return () => {
      changes.disconnect();
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
  };
  return { ref, onScroll };
}
