import { type KeyboardEvent, type MouseEvent, useRef, useState } from 'react';
import { type Talk, talkKey } from './talks.ts';

/** Conversations that are being selected in the list at the side. */
export interface Selection {
  readonly chosen: ReadonlyMap<string, Talk>;
  /** Takes one in or out. */
  toggle(talk: Talk): void;
  /** Sees clicks on the boxes: one with Shift takes in all up to it from the one before. */
  onClick(event: MouseEvent<HTMLInputElement>): void;
  /** Sees keys within the list: arrows go from box to box, Ctrl and A takes in all that are shown, Escape ends. */
  onKey(event: KeyboardEvent<HTMLElement>): void;
  /** Takes in all that are shown, or none. */
  all(list: Element | null, wanted: boolean): void;
  end(): void;
}

const BOX = 'input[data-conversation]';
const boxesOf = (list: Element | null | undefined) => [...(list?.querySelectorAll<HTMLInputElement>(BOX) ?? [])];
const click = (boxes: readonly HTMLInputElement[], wanted: boolean) => {
  for (const box of boxes) if (box.checked !== wanted) box.click();
};

/** Where several conversations are selected: null until somebody begins. `list` is the part of the page that holds them. */
export function useSelection(list: { readonly current: Element | null }) {
  const [chosen, setChosen] = useState<ReadonlyMap<string, Talk> | null>(null);
  const last = useRef<string | null>(null);
  const end = () => setChosen(null);
  const begin = (talks: readonly Talk[]) => {
    last.current = talks.map(talkKey).at(-1) ?? null;
    setChosen(new Map(talks.map((talk) => [talkKey(talk), talk])));
  };
  const selection: Selection | null =
    chosen === null
      ? null
      : {
          chosen,
          toggle(talk) {
            setChosen((old) => {
              const next = new Map(old);
              if (!next.delete(talkKey(talk))) next.set(talkKey(talk), talk);
              return next;
            });
          },
          onClick({ currentTarget, shiftKey, nativeEvent }) {
            // Those of a range are clicked by us.
            if (!nativeEvent.isTrusted) return;
            const boxes = boxesOf(list.current);
            const to = boxes.indexOf(currentTarget);
            const from = boxes.findIndex((box) => box.dataset['conversation'] === last.current);
            last.current = currentTarget.dataset['conversation'] ?? null;
            if (!shiftKey || from < 0 || to < 0) return;
            const between = boxes.slice(Math.min(from, to), Math.max(from, to) + 1);
            const wanted = currentTarget.checked;
            click(
              between.filter((box) => box !== currentTarget),
              wanted,
            );
          },
          onKey(event) {
            const { key, target } = event;
            if (key === 'Escape') end();
            else if (!(target instanceof HTMLInputElement) || !target.matches(BOX)) return;
            else {
              const boxes = boxesOf(list.current);
              const at = boxes.indexOf(target);
              if (key === 'ArrowDown') boxes[at + 1]?.focus();
              else if (key === 'ArrowUp') boxes[at - 1]?.focus();
              else if (key === 'Home') boxes[0]?.focus();
              else if (key === 'End') boxes.at(-1)?.focus();
              else if (key.toLowerCase() === 'a' && (event.ctrlKey || event.metaKey)) click(boxes, true);
              else return;
            }
            event.preventDefault();
            event.stopPropagation();
          },
          all: (of, wanted) => click(boxesOf(of), wanted),
          end,
        };
  return { selection, begin };
}
