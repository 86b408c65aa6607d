// What vLLM and the chat templates of its models check of messages. Sources: vllm/entrypoints/chat_utils.py (kinds of parts, arguments of
// earlier calls, media), multimodal/media (how it reads them); the templates of Qwen (roles).
import { type Fields, type VllmRefusal, refusal } from './vllm-fields.ts';

export type MediaKind = 'image' | 'audio' | 'video';
export const mediaKinds: readonly MediaKind[] = ['image', 'audio', 'video'];

const roles: ReadonlySet<unknown> = new Set(['system', 'user', 'assistant', 'tool']);

/** The kinds of parts that hold media, and the field that names them. Kinds that vLLM has beside these are not sent by the service. */
const mediaParts: Readonly<Record<string, { readonly kind: MediaKind; readonly field: string }>> = {
  image_url: { kind: 'image', field: 'url' },
  audio_url: { kind: 'audio', field: 'url' },
  video_url: { kind: 'video', field: 'url' },
  input_audio: { kind: 'audio', field: 'data' },
};

const textParts: ReadonlySet<unknown> = new Set(['text', 'refusal', 'thinking', 'input_text', 'output_text']);

/** An expression over all characters may overflow its stack in a process that has compiled many, from six million characters on. */
const isBase64 = (text: string): boolean =>
  text !== '' &&
  text.length % 4 === 0 &&
  !/[^\w+/]/.test(text.slice(0, -2)) &&
  /^[\w+/]{0,2}={0,2}$/.test(text.slice(-2));

/** How files begin that its image library reads. */
const imageStarts: readonly (string | RegExp)[] = [
  '\x89PNG\r\n\x1a\n',
  '\xff\xd8\xff',
  'GIF8',
  'BM',
  'II*\0',
  'MM\0*',
  /^RIFF....WEBP/s,
];

function isImage(data: string): boolean {
  const start = Buffer.from(data.slice(0, 32), 'base64').toString('latin1');
  return imageStarts.some((known) => (typeof known === 'string' ? start.startsWith(known) : known.test(start)));
}

function checkMedia(part: Fields, takes: readonly MediaKind[]): VllmRefusal | null {
  const { kind, field } = mediaParts[String(part['type'])] as { kind: MediaKind; field: string };
  if (!takes.includes(kind)) return refusal(`At most 0 ${kind}(s) may be provided in one prompt.`);
  const holder = part[String(part['type'])];
  const value = (typeof holder === 'object' && holder !== null ? (holder as Fields) : {})[field];
  if (typeof value !== 'string') return refusal(`Field required: ${String(part['type'])}.${field}`);
  if (field === 'url' && /^https?:\/\//.test(value)) return null;
  const inline =
    field === 'url' ? (/^data:[^,]*;base64,/.test(value) ? value.slice(value.indexOf(',') + 1) : undefined) : value;
  if (inline === undefined) return refusal('The URL must be either a HTTP, data or file URL.');
  if (!isBase64(inline)) return refusal('Failed to load media: Only base64-encoded data is supported');
  return kind === 'image' && !isImage(inline) ? refusal('Failed to load image: cannot identify image file') : null;
}

function checkParts(content: unknown, takes: readonly MediaKind[]): VllmRefusal | null {
  if (!Array.isArray(content)) return null;
  for (const part of content as Fields[]) {
    const type = part['type'];
    if (textParts.has(type)) continue;
    if (!(String(type) in mediaParts)) return refusal(`Unknown part type: ${String(type)}`);
    const wrong = checkMedia(part, takes);
    if (wrong) return wrong;
  }
  return null;
}

/** Arguments of earlier calls are read as JSON before the template has them. */
function checkCalls(messages: readonly Fields[]): VllmRefusal | null {
  const known = new Set<unknown>();
  for (const { role, tool_calls: calls, tool_call_id: id } of messages) {
    if (role === 'tool' && !known.has(id)) return refusal('Tool message does not answer a tool call.');
    if (!Array.isArray(calls)) continue;
    for (const call of calls as { readonly id: unknown; readonly function: Fields }[]) {
      known.add(call.id);
      const given = call.function['arguments'];
      if (typeof given !== 'string' || given === '') continue;
      try {
        JSON.parse(given);
      } catch (error) {
        return refusal(`Expecting value: ${String(error)}`);
      }
    }
  }
  return null;
}

/** The refusal of messages; null where they would be rendered. `takes`: what the model takes besides text. */
export function checkMessages(request: Fields, takes: readonly MediaKind[], systemFirst: boolean): VllmRefusal | null {
  const { messages } = request;
  if (!Array.isArray(messages) || messages.length === 0) return refusal('Field required: messages', 'messages');
  const all = messages as Fields[];
  const wrong = all.find(({ role }) => !roles.has(role));
  if (wrong) return refusal(`Unexpected message role. (${String(wrong['role'])})`);
  if (systemFirst && all.some(({ role }, i) => role === 'system' && i > 0))
    return refusal('System message must be at the beginning.');
  for (const { content } of all) {
    const part = checkParts(content, takes);
    if (part) return part;
  }
  return checkCalls(all);
}
