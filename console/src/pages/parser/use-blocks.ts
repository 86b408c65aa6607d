import { type KeyboardEvent, useEffect, useRef, useState } from 'react';

type Side = 'page' | 'list';

/** The highlighted block, and the side of the page on which the person chose it. */
interface Highlighted {
  readonly id: string;
  readonly side: Side;
  /** Chosen by a click or the keyboard: the other side scrolls to it. A pointer that passes over a block only marks it. */
  readonly pinned: boolean;
}

/** The highlighted block, which both sides of a page share. */
export interface Highlighting {
  readonly highlighted: Highlighted | null;
  readonly highlight: (highlighted: Highlighted | null) => void;
}

export function useHighlighting(): Highlighting {
  const [highlighted, highlight] = useState<Highlighted | null>(null);
  return { highlighted, highlight };
}

const placeOf = (place: Element | null, id: string) =>
  place?.querySelector<HTMLElement>(`[data-block="${CSS.escape(id)}"]`) ?? null;

const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 };

/** Blocks of one side: one of them is reached by Tab, the others by arrow keys; a block that is pinned on the other side scrolls into view. */
export function useBlocks(ids: readonly string[], side: Side, { highlighted, highlight }: Highlighting) {
  const place = useRef<HTMLDivElement>(null);
  const [reached, setReached] = useState<string | null>(null);
  const entry = reached !== null && ids.includes(reached) ? reached : ids[0];
  useEffect(() => {
    if (highlighted === null || highlighted.side === side || !highlighted.pinned) return;
    placeOf(place.current, highlighted.id)?.scrollIntoView({ block: 'nearest' });
  }, [highlighted, side]);

  const onKeyDown = (event: KeyboardEvent<HTMLElement>, id: string) => {
    if (event.target !== event.currentTarget) return;
    const at = ids.indexOf(id);
    const step = steps[event.key];
    const next = event.key === 'Home' ? ids[0] : event.key === 'End' ? ids.at(-1) : step && ids[at + step];
    if (typeof next !== 'string') return;
    event.preventDefault();
    placeOf(place.current, next)?.focus();
  };
  return {
    place,
    isHighlighted: (id: string) => highlighted?.id === id,
    props: (id: string) => ({
      'data-block': id,
      'data-highlighted': highlighted?.id === id,
      tabIndex: id === entry ? 0 : -1,
      onFocus: () => {
        setReached(id);
        highlight({ id, side, pinned: true });
      },
      onKeyDown: (event: KeyboardEvent<HTMLElement>) => onKeyDown(event, id),
      onClick: () => highlight({ id, side, pinned: true }),
      onMouseEnter: () => highlight({ id, side, pinned: false }),
      onMouseLeave: () => highlight(null),
    }),
  };
}
