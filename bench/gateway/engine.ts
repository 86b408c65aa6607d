/**
 * The fake engine: an OpenAI-format server in a process of its own that only frames requests and writes answers made
 * beforehand, so that it is never what is measured. Its parent configures it over IPC.
 */
import { createServer, type Socket } from 'node:net';
import { createFraming } from './framing.ts';
import { digestReply, replyText, streamEvents, type StreamText, wholeReply } from './payload.ts';

/** What the engine answers to every chat request from now on. */
export type EngineMode =
  | { readonly kind: 'whole' }
  | { readonly kind: 'digest' }
  | LimitedMode
  | { readonly kind: 'stream'; readonly text: StreamText; readonly tokens: number; readonly periodMs: number };

/** An engine that works on so many requests at one time, each for so long; others wait at its door. */
interface LimitedMode {
  readonly kind: 'limited';
  readonly places: number;
  readonly serviceMs: number;
  /** Pieces of a stream, spread over that time; 0 for a whole reply at its end. */
  readonly tokens: number;
}

export type EngineMessage = { readonly mode: EngineMode; readonly model: string };
export type EngineReport = { readonly port: number } | { readonly ready: true };

const TICK_MS = 1;

interface OpenStream {
  readonly socket: Socket;
  readonly frames: readonly Buffer[];
  next: number;
}

const whole = (body: string) =>
  Buffer.from(
    `HTTP/1.1 200 OK\r\ndate: Sat, 21 Nov 2026 00:00:00 GMT\r\nserver: uvicorn\r\ncontent-length: ${Buffer.byteLength(body)}\r\ncontent-type: application/json\r\n\r\n${body}`,
  );

const STREAM_HEAD =
  'HTTP/1.1 200 OK\r\ndate: Sat, 21 Nov 2026 00:00:00 GMT\r\nserver: uvicorn\r\ncontent-type: text/event-stream; charset=utf-8\r\ntransfer-encoding: chunked\r\n\r\n';

/** One frame of the chunked coding an event, as uvicorn sends them; head and role together, finish and end together. */
function streamFrames(events: readonly string[]): Buffer[] {
  const framed = events.map((event) => `${Buffer.byteLength(event).toString(16)}\r\n${event}\r\n`);
  const frames = framed.slice(0, -2);
  frames[0] = STREAM_HEAD + (frames[0] ?? '');
  frames.push(`${framed.slice(-2).join('')}0\r\n\r\n`);
  return frames.map((frame) => Buffer.from(frame));
}

/** Writes the next frame of each stream once a period, the streams spread evenly over it. */
function createPacer(periodMs: number) {
  const slots: OpenStream[][] = Array.from({ length: Math.max(1, Math.round(periodMs / TICK_MS)) }, () => []);
  let opened = 0;
  let tick = 0;
  const startedAt = performance.now();
  const turn = (slot: OpenStream[]) => {
    for (let i = slot.length - 1; i >= 0; i -= 1) {
      const stream = slot[i];
      const frame = stream?.frames[stream.next];
      if (stream && frame && !stream.socket.destroyed) {
        stream.next += 1;
        stream.socket.write(frame);
      } else {
        const last = slot.pop();
        if (last && i < slot.length) slot[i] = last;
      }
    }
  };
  const timer = setInterval(() => {
    const due = Math.floor((performance.now() - startedAt) / TICK_MS);
    for (; tick < due; tick += 1) {
      const slot = slots[tick % slots.length];
      if (slot) turn(slot);
    }
  }, TICK_MS);
  return {
    add(stream: OpenStream) {
      // A step that shares no factor with the number of slots visits all of them.
      slots[(opened * 7) % slots.length]?.push(stream);
      opened += 1;
    },
    stop: () => clearInterval(timer),
  };
}

/** Answers in turn as a limited engine does. */
function createLimited(model: string, { places, serviceMs, tokens }: LimitedMode): (socket: Socket) => void {
  const reply = whole(wholeReply(model, replyText));
  const frames = streamFrames(streamEvents(model, Math.max(1, tokens), 'content'));
  const waiting: Socket[] = [];
  let busy = 0;
  const leave = () => {
    busy -= 1;
    const next = waiting.shift();
    if (next) serve(next);
  };
  const stream = (socket: Socket) => {
    const startedAt = performance.now();
    let next = 0;
    const timer = setInterval(() => {
      const due = Math.min(frames.length, Math.floor(((performance.now() - startedAt) / serviceMs) * frames.length));
      for (; next < due && !socket.destroyed; next += 1) socket.write(frames[next] ?? '');
      if (due < frames.length && !socket.destroyed) return;
      clearInterval(timer);
      leave();
    }, serviceMs / frames.length);
  };
  const serve = (socket: Socket) => {
    busy += 1;
    if (tokens > 0) return stream(socket);
    setTimeout(() => {
      if (!socket.destroyed) socket.write(reply);
      leave();
    }, serviceMs);
  };
  return (socket) => {
    if (busy < places) serve(socket);
    else waiting.push(socket);
  };
}

let answer = (_socket: Socket, _body: () => Buffer): void => {};
let keepBody = false;
let stopPacer = () => {};

function setMode({ mode, model }: EngineMessage): void {
  stopPacer();
  stopPacer = () => {};
  keepBody = mode.kind === 'digest';
  if (mode.kind === 'whole') {
    const bytes = whole(wholeReply(model, replyText));
    answer = (socket) => void socket.write(bytes);
  } else if (mode.kind === 'digest') {
    answer = (socket, body) => void socket.write(whole(digestReply(model, body())));
  } else if (mode.kind === 'limited') {
    answer = createLimited(model, mode);
  } else {
    const frames = streamFrames(streamEvents(model, mode.tokens, mode.text));
    const pacer = createPacer(mode.periodMs);
    stopPacer = pacer.stop;
    answer = (socket) => {
      socket.write(frames[0] ?? '');
      pacer.add({ socket, frames, next: 1 });
    };
  }
}

const models = (model: string) => whole(JSON.stringify({ object: 'list', data: [{ id: model, object: 'model' }] }));
let modelList = models('none');

const server = createServer({ noDelay: true }, (socket) => {
  let asksForModels = false;
  let parts: Buffer[] = [];
  socket.on('error', () => socket.destroy());
  socket.on(
    'data',
    createFraming({
      onHead(head) {
        asksForModels = head.startsWith('GET ');
        parts = [];
      },
      onBody(bytes, start, end) {
        if (keepBody) parts.push(Buffer.from(bytes.subarray(start, end)));
      },
      onEnd() {
        if (asksForModels) socket.write(modelList);
        else answer(socket, () => Buffer.concat(parts));
      },
    }),
  );
});

const report = (message: EngineReport) => process.send?.(message);
process.on('message', (message: EngineMessage) => {
  modelList = models(message.model);
  setMode(message);
  report({ ready: true });
});
process.once('disconnect', () => process.exit(0));
server.listen({ port: Number(process.argv[2] ?? 0), host: '127.0.0.1', backlog: 4096 }, () => {
  const address = server.address();
  if (address && typeof address === 'object') report({ port: address.port });
});
