import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** One call that reached the fake. */
export interface SpeechCall {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** A fake server of OpenAI's audio interface: answers as that does, and hears nothing. */
export interface SpeechServer {
  readonly url: string;
  readonly calls: readonly SpeechCall[];
  close(): Promise<void>;
}

/** As whisper-1 answers `verbose_json`. */
const withTimes = {
  task: 'transcribe',
  language: 'korean',
  duration: 3.1,
  text: '안녕하세요. 회의를 시작합니다.',
  segments: [
    { id: 0, start: 0, end: 1.4, text: ' 안녕하세요.', tokens: [1], temperature: 0, avg_logprob: -0.2 },
    { id: 1, start: 1.4, end: 3.1, text: ' 회의를 시작합니다.', tokens: [2], temperature: 0, avg_logprob: -0.2 },
  ],
};
/** As the newer models refuse it. */
const refusal = {
  error: {
    message:
      "response_format 'verbose_json' is not compatible with model 'gpt-4o-transcribe'. Use 'json' or 'text' instead.",
    type: 'invalid_request_error',
    param: 'response_format',
    code: 'unsupported_value',
  },
};

/** Pieces of sound that are sent one after the other. */
export const sound = [Buffer.from('ID3first'), Buffer.from('second'), Buffer.from('third')] as const;

export async function openSpeechServer(): Promise<SpeechServer> {
  const calls: SpeechCall[] = [];
  const answer = async (req: IncomingMessage, res: ServerResponse) => {
    const parts: Buffer[] = [];
    for await (const part of req) parts.push(part as Buffer);
    const body = Buffer.concat(parts);
    const { url: path = '' } = req;
    const send = (status: number, value: unknown) =>
      res.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
    if (req.method === 'GET' && path.endsWith('/audio/voices'))
      return send(200, {
        voices: ['alloy', 'han', { id: 'm1', name: '민수' }, { voice_id: 'v2' }, { other: 1 }, null],
      });
    if (req.method === 'GET') return send(200, { object: 'list', data: [] });
    calls.push({ path, headers: req.headers, body });
    const text = body.toString('latin1');
    // As one that hangs.
    if (text.includes('whisper-stuck')) return undefined;
    if (path.endsWith('/audio/translations'))
      return send(200, { text: 'Hello. We begin the meeting.', duration: 3.1, language: 'korean' });
    if (path.endsWith('/audio/transcriptions')) {
      if (!text.includes('verbose_json')) return send(200, { text: 'Hello.', usage: { type: 'duration', seconds: 3 } });
      return text.includes('gpt-4o-transcribe') ? send(400, refusal) : send(200, withTimes);
    }
    res.writeHead(200, { 'content-type': 'audio/mpeg' });
    for (const part of sound) {
      res.write(part);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    return res.end();
  };
  const server = createServer((req, res) => void answer(req, res));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    calls,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
