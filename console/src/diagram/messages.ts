// What the page and the frame that draws a diagram tell each other. Without a library: the frame loads nothing else of the console.

/** What the page asks its frame to draw. */
export interface DiagramRequest {
  readonly source: string;
  readonly dark: boolean;
}

/** What the frame tells: that it can be asked, or how high the diagram is in pixels, null where there is none in the source. */
export type DiagramReply = { readonly ready: true } | { readonly height: number | null };

const MAX_HEIGHT = 20_000;

const fieldsOf = (data: unknown): Readonly<Record<string, unknown>> =>
  typeof data === 'object' && data !== null ? (data as Record<string, unknown>) : {};

/** Null for anything else. */
export function readRequest(data: unknown): DiagramRequest | null {
  const { source, dark } = fieldsOf(data);
  return typeof source === 'string' && typeof dark === 'boolean' ? { source, dark } : null;
}

/** Null for anything else. */
export function readReply(data: unknown): DiagramReply | null {
  const { ready, height } = fieldsOf(data);
  if (ready === true) return { ready };
  if (height === null) return { height };
  return typeof height === 'number' && height >= 0 && height <= MAX_HEIGHT ? { height } : null;
}
