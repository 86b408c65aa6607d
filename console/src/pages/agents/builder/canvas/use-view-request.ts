import { useReactFlow } from '@xyflow/react';
import { useEffect } from 'react';
import type { ViewRequest } from './view-request.ts';
import { useMoveTime } from './use-move-time.ts';

/** Nodes that are drawn smaller than this are not well seen. */
const MIN_ZOOM = 0.4;

/** On the canvas; in the list where that is what is seen. */
function focusNode(id = ''): void {
  const places = document.querySelectorAll<HTMLElement>(`.react-flow__node[data-id="${id}"], [data-node="${id}"]`);
  [...places].find((place) => place.checkVisibility())?.focus({ preventScroll: true });
}

/** Brings nodes into sight; those that are well seen already leave the canvas as it is. */
export function useViewRequest(viewRequest: ViewRequest | null): void {
  const flow = useReactFlow();
  const duration = useMoveTime();
  useEffect(() => {
    if (viewRequest === null) return;
    // Once the nodes stand where they are to stand.
    const frame = requestAnimationFrame(() => {
      const box = document.querySelector('[data-region=canvas]')?.getBoundingClientRect();
      const nodes = viewRequest.nodes.flatMap((id) => flow.getNode(id) ?? []);
      if (viewRequest.focus) focusNode(viewRequest.nodes[0]);
      if (box === undefined || nodes.length === 0) return;
      const { x, y, width, height } = flow.getNodesBounds(nodes);
      const from = flow.screenToFlowPosition({ x: box.left, y: box.top });
      const to = flow.screenToFlowPosition({ x: box.right, y: box.bottom });
      const seen = x >= from.x && y >= from.y && x + width <= to.x && y + height <= to.y;
      const zoom = flow.getZoom();
      if (!seen || zoom < MIN_ZOOM)
        void flow.fitView({ nodes, maxZoom: zoom < MIN_ZOOM ? 1 : Math.min(zoom, 1), padding: 0.08, duration });
    });
    return () => cancelAnimationFrame(frame);
  }, [viewRequest, flow, duration]);
}
