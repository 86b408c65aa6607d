import { type KeyboardEvent, useEffect, useRef, useState } from 'react';

type Side = 'page' | 'list';

/** The block that a person looks at, on one side of the page. */
interface Looked {
  readonly id: string;
  readonly side: Side;
  /** Meant, by a click or the keyboard: then the other side shows it too. A pointer that passes over it only marks it. */
  readonly meant: boolean;
}

/** What the two sides of a page have in common: the block that is looked at. */
export interface Attention {
  readonly looked: Looked | null;
  readonly look: (looked: Looked | null) => void;
}

export function useAttention(): Attention {
  const [looked, look] = useState<Looked | null>(null);
  return { looked, look };
}

const placeOf = (place: Element | null, id: string) =>
  place?.querySelector<HTMLElement>(`[data-block="${CSS.escape(id)}"]`) ?? null;

const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 };

/** Blocks of one side: one of them is reached by Tab, the others by arrow keys; what is meant on the other side is brought into sight. */
export function useBlocks(ids: readonly string[], side: Side, { looked, look }: Attention) {
  const place = useRef<HTMLDivElement>(null);
  const [reached, setReached] = useState<string | null>(null);
  const entry = reached !== null && ids.includes(reached) ? reached : ids[0];
  useEffect(() => {
    if (looked === null || looked.side === side || !looked.meant) return;
    placeOf(place.current, looked.id)?.scrollIntoView({ block: 'nearest' });
  }, [looked, side]);

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
    isLooked: (id: string) => looked?.id === id,
    props: (id: string) => ({
      'data-block': id,
      'data-looked': looked?.id === id,
      tabIndex: id === entry ? 0 : -1,
      onFocus: () => {
        setReached(id);
        look({ id, side, meant: true });
      },
      onKeyDown: (event: KeyboardEvent<HTMLElement>) => onKeyDown(event, id),
      onClick: () => look({ id, side, meant: true }),
      onMouseEnter: () => look({ id, side, meant: false }),
      onMouseLeave: () => look(null),
    }),
  };
}
