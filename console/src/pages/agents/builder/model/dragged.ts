import type { NodeKind } from '@ai-studio/contract/agents/definition.ts';
import { isNodeKind } from './kinds.ts';

// A kind of node on its way from the palette to the canvas.

const TYPE = 'application/x-ai-studio-node';

export function putKind(transfer: DataTransfer, kind: NodeKind): void {
  transfer.setData(TYPE, kind);
  transfer.effectAllowed = 'copy';
}

/** Whether a kind is dragged; what it is, only the drop tells. */
export const takesKind = (transfer: DataTransfer): boolean => transfer.types.includes(TYPE);

export function kindIn(transfer: DataTransfer): NodeKind | null {
  const text = transfer.getData(TYPE);
  return isNodeKind(text) ? text : null;
}
