import { useEffect, useRef } from 'react';

/** How near the end counts as being there, in pixels. */
const NEAR = 48;

/** Keeps the end of a growing talk in sight, unless the person has scrolled up to read. Put both on the box. */
export function useFollow() {
  const ref = useRef<HTMLDivElement>(null);
  const follows = useRef(true);
  useEffect(() => {
    const { current } = ref;
    if (current && follows.current) current.scrollTop = current.scrollHeight;
  });
  const onScroll = () => {
    const { current } = ref;
    if (current) follows.current = current.scrollHeight - current.scrollTop - current.clientHeight < NEAR;
  };
  return { ref, onScroll };
}
