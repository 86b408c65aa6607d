import { useMemo, useState } from 'react';
import type { ViewRequest } from './canvas/view-request.ts';
import type { AddPlace, Openers } from './context.ts';
import type { OpenMenu } from './menu/pointed.ts';

/** As in the style sheet. */
const ONE_PART = '(max-width: 61.99em)';

export type View = 'left' | 'canvas' | 'side';
export type SideTab = 'node' | 'run' | 'problems';

/** UI state of the builder: view, tabs, open menu and open dialogs. */
export function useBuilderUi() {
  // Where there is room for one part alone, and nobody has chosen: the nodes as a list.
  const [view, setView] = useState<View>('left');
  const [left, setLeft] = useState<'add' | 'outline'>(() =>
    globalThis.matchMedia(ONE_PART).matches ? 'outline' : 'add',
  );
  const [tab, setTab] = useState<SideTab>('node');
  const [traced, setTraced] = useState<string | null>(null);
  const [connecting, setConnecting] = useState<string | null>(null);
  const [adding, setAdding] = useState<AddPlace | null>(null);
  const [menu, setMenu] = useState<OpenMenu | null>(null);
  const [naming, setNaming] = useState<string | null>(null);
  const [viewRequest, setViewRequest] = useState<ViewRequest | null>(null);
  const openers = useMemo<Openers>(
    () => ({
      connect: setConnecting,
      add: setAdding,
      rename(id) {
        setTab('node');
        setView('side');
        setNaming(id);
      },
      viewRequest: (nodes, focus = false) =>
        setViewRequest((before) => ({ nodes, focus, times: (before?.times ?? 0) + 1 })),
    }),
    [],
  );
  return {
    view,
    setView,
    left,
    setLeft,
    tab,
    setTab,
    traced,
    setTraced,
    connecting,
    setConnecting,
    adding,
    setAdding,
    menu,
    setMenu,
    naming,
    setNaming,
    viewRequest,
    openers,
  };
}
export type BuilderUi = ReturnType<typeof useBuilderUi>;
