import { decoderLayers, decoderMetadata } from './decoder.ts';
import { filled } from './numbers.ts';
import { CHATML_CONTROL } from './random-model.ts';
import { byteLevel, byteVocabulary } from './vocabulary.ts';
import { type Tensor, writeGguf } from './writer.ts';

/**
 * What a route says: a text, cut into tokens as it comes, or pieces that are a token each. A piece that is a control
 * token is that token; it may stand in one route only, as may any piece: the model knows nothing but its last token.
 */
export type Route = string | readonly (string | Uint8Array)[];

/** Two ways to go on: which of two routes follows, with what probability the first. */
export interface Fork {
  readonly first: string;
  readonly second: string;
  readonly probability: number;
}

export interface ScriptedModelOptions {
  readonly routes: Readonly<Record<string, Route>>;
  /** Routes that begin as one of two others. */
  readonly forks?: Readonly<Record<string, Fork>>;
  /** Must end its prompt with `<|route_NAME|>`; the last user message names the route when left out. */
  readonly chatTemplate?: string;
  readonly contextLength?: number;
  readonly name?: string;
}

export const routeToken = (name: string) => `<|route_${name}|>`;

/** Takes the route from the last word of the last user message that is the name of one, else the first route. */
const defaultTemplate = (names: readonly string[]) => `{%- for message in messages %}<|im_start|>{{ message.role }}
{{ message.content }}<|im_end|>
{% endfor -%}
{%- set ns = namespace(route='${names[0] ?? ''}') -%}
{%- for message in messages -%}{%- if message.role == 'user' -%}
{%- for name in [${names.map((name) => `'${name}'`).join(', ')}] -%}
{%- if 'say ' ~ name in message.content %}{% set ns.route = name %}{% endif -%}
{%- endfor -%}{%- endif -%}{%- endfor -%}
{%- if tools %}<tool_call></tool_call>{% endif -%}
{%- if enable_thinking is defined and enable_thinking is false %}<think></think>{% endif -%}
{{ '<|route_' ~ ns.route ~ '|>' }}`;

const MIN_LENGTH = 2;

/** Cuts texts into tokens of which none stands twice, in whichever text. */
function createCutter(taken: Set<string>) {
  const isNew = (piece: string) => !taken.has(byteLevel(Buffer.from(piece)));
  return (text: string): string[] => {
    const characters = [...text];
    const pieces: string[] = [];
    for (let at = 0; at < characters.length;) {
      let length = Math.min(MIN_LENGTH, characters.length - at);
      while (at + length < characters.length && !isNew(characters.slice(at, at + length).join(''))) length++;
      // A single character at the end is a token already.
      if (characters.length - at - length === 1) length++;
      const piece = characters.slice(at, at + length).join('');
      if (!isNew(piece)) throw new Error(`No way to end the text with a new token: ${JSON.stringify(piece)}`);
      taken.add(byteLevel(Buffer.from(piece)));
      pieces.push(piece);
      at += length;
    }
    return pieces;
  };
}

/** How far the scripted next token stands above all others: sure at any temperature. */
const MARGIN = 120;

/** The output matrix: after token `from`, the scores of those that may follow. Its inputs are one-hot times the root of the width. */
function outputMatrix(width: number, count: number, next: ReadonlyMap<number, ReadonlyMap<number, number>>): Tensor {
  const data = new Float32Array(width * count);
  const scale = Math.sqrt(width);
  for (const [from, followers] of next) for (const [to, score] of followers) data[to * width + from] = score / scale;
  return { shape: [width, count], data };
}

/**
 * Writes a model whose weights are a script: its prompt's last token picks a route, whose tokens then follow one another
 * with a probability of 1. Returns the path.
 */
export function writeScriptedModel(path: string, options: ScriptedModelOptions): string {
  const { routes, forks = {}, contextLength = 4096 } = options;
  const names = [...Object.keys(routes), ...Object.keys(forks)];
  const control: string[] = [...CHATML_CONTROL, ...names.map(routeToken)];
  const controls = new Set(control);
  // Every single byte is a token already.
  const taken = new Set(Array.from({ length: 256 }, (_, byte) => byteLevel(Uint8Array.of(byte))));
  const cut = createCutter(taken);
  const bytesOf = (piece: string | Uint8Array) => (typeof piece === 'string' ? Buffer.from(piece) : piece);
  const isControl = (piece: string | Uint8Array): piece is string => typeof piece === 'string' && controls.has(piece);
  // Pieces that are given as such come before texts, which can be cut around them.
  const given = Object.entries(routes).filter(
    (entry): entry is [string, readonly (string | Uint8Array)[]] => typeof entry[1] !== 'string',
  );
  for (const [, pieces] of given)
    for (const piece of pieces) if (!isControl(piece)) taken.add(byteLevel(bytesOf(piece)));
  const scripts = Object.entries(routes).map(
    ([name, route]) => [name, typeof route === 'string' ? cut(route) : route] as const,
  );
  const pieces = scripts.flatMap(([, script]) => script.filter((piece) => !isControl(piece)).map(bytesOf));
  const vocabulary = byteVocabulary({
    control,
    end: '<|im_end|>',
    pieces,
    chatTemplate: options.chatTemplate ?? defaultTemplate(names),
  });
  const idOf = (piece: string | Uint8Array) => vocabulary.idOf(isControl(piece) ? piece : byteLevel(bytesOf(piece)));
  const end = vocabulary.idOf('<|im_end|>');
  const next = new Map<number, Map<number, number>>();
  const follow = (from: number, to: number, probability = 1) => {
    const followers = next.get(from) ?? new Map<number, number>();
    if (followers.size > 0 && probability === 1) throw new Error(`Two tokens follow ${vocabulary.tokens[from]}`);
    next.set(from, followers.set(to, MARGIN + Math.log(probability)));
  };
  const firstOf = new Map<string, number>();
  for (const [name, script] of scripts) {
    const ids = [...script.map(idOf), end];
    firstOf.set(name, ids[0] ?? end);
    let from = vocabulary.idOf(routeToken(name));
    for (const id of ids) {
      follow(from, id);
      from = id;
    }
  }
  for (const [name, { first, second, probability }] of Object.entries(forks)) {
    const from = vocabulary.idOf(routeToken(name));
    follow(from, firstOf.get(first) ?? end, probability);
    next.get(from)?.set(firstOf.get(second) ?? end, MARGIN + Math.log(1 - probability));
  }
  // What the script says nothing of ends the reply.
  for (let id = 0; id < vocabulary.tokens.length; id++) if (!next.has(id) && id !== end) follow(id, end);
  const count = vocabulary.tokens.length;
  const width = Math.ceil(count / 32) * 32;
  const embedding = new Float32Array(width * count);
  for (let id = 0; id < count; id++) embedding[id * width + id] = 1;
  const sizes = { embedding: width, layers: 1, heads: 1, headSize: 32, feedForward: 32, contextLength };
  return writeGguf(
    path,
    { ...decoderMetadata('llama', options.name ?? 'Scripted', sizes), ...vocabulary.metadata },
    {
      'token_embd.weight': { shape: [width, count], data: embedding },
      ...decoderLayers(sizes),
      'output_norm.weight': filled([width], 1),
      'output.weight': outputMatrix(width, count, next),
    },
  );
}
