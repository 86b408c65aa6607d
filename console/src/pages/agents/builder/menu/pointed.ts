import type { Point } from '../model/geometry.ts';

/** What a menu is of. */
export type MenuOf =
  | { readonly is: 'node'; readonly id: string }
  /** All that are chosen. */
  | { readonly is: 'nodes' }
  | { readonly is: 'edge'; readonly key: string }
  | { readonly is: 'canvas'; readonly point: Point };

/** A menu that is open at a place of the window. */
export interface OpenMenu {
  readonly of: MenuOf;
  readonly at: Point;
  /** What had the focus, and gets it back. */
  readonly origin: HTMLElement | null;
}

/** What was pointed at, on the canvas or in the list; null where it is neither a node nor an edge. */
export function pointedAt(target: EventTarget | null, chosen: readonly string[]): MenuOf | null {
  if (!(target instanceof Element)) return null;
  const node = target.closest<HTMLElement>('.react-flow__node, [data-node]');
  const id = node?.dataset['node'] ?? node?.dataset['id'];
  if (id !== undefined) return chosen.length > 1 && chosen.includes(id) ? { is: 'nodes' } : { is: 'node', id };
  if (target.closest('.react-flow__nodesselection') !== null) return { is: 'nodes' };
  const key = target.closest<SVGElement>('.react-flow__edge')?.dataset['id'];
  return key === undefined ? null : { is: 'edge', key };
}

/** The element with the focus, if there is one. */
export const focusedElement = (): HTMLElement | null =>
  document.activeElement instanceof HTMLElement && document.activeElement !== document.body
    ? document.activeElement
    : null;

/** By keyboard: asks for the menu of what has the focus, else of what is chosen, else of the canvas. */
export function openMenuAt(target: EventTarget | null): void {
  const place =
    (target instanceof Element
      ? target.closest('.react-flow__node, [data-node], .react-flow__edge, [data-region=canvas] *')
      : null) ??
    document.querySelector('.react-flow__node.selected') ??
    document.querySelector('[data-region=canvas]');
  if (place === null) return;
  const { left, top, width, height } = place.getBoundingClientRect();
  const event = new MouseEvent('contextmenu', {
    bubbles: true,
    cancelable: true,
    clientX: left + width / 2,
    clientY: top + height / 2,
  });
  place.dispatchEvent(event);
}
