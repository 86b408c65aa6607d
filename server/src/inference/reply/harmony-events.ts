import { HarmonyReader } from '@ai-studio/reply-format/harmony.ts';
import { toolCallId } from '../../kernel/ids.ts';
import { toJsonText } from '../../kernel/json-text.ts';
import type { ChatSink } from '../../ports/engine.ts';

export interface HarmonyEvents {
  text(channel: 'reasoning' | 'content', text: string): void;
  /** Takes the calls of tools. */
  readonly event: ChatSink;
}

/** Reads a choice in the harmony form. `hasTools`: false where what looks like a call is text. */
export function readHarmony(choice: number, hasTools: boolean, { text, event }: HarmonyEvents): HarmonyReader {
  let call = -1;
  return new HarmonyReader(
    {
      text,
      call: (name) => event({ type: 'tool_call', choice, call: ++call, id: toolCallId(), name }),
      arguments: (piece) => event({ type: 'tool_arguments', choice, call, json: toJsonText(piece) }),
    },
    hasTools,
  );
}
